"""What messages are wrapped in: cries, tags, calls to act, sources, hedges; in their normal form."""

from __future__ import annotations

import re

_EMOJI = (
    "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2190-\u21ff\ufe0f\u200d\u20e3\u2300-\u23ff"
    "\U0001f1e6-\U0001f1ff\u25a0-\u25ff"
)
_TAGS_AT_END = re.compile(r"(?:\s*(?:#|@)[\w·]+)+\s*\Z")
_TAG = re.compile(r"(?<!\w)[#＃]([\w·]+)[#＃]?|(?<!\w)@(\w+)")
_TICKER = re.compile(r"(?<!\w)\$(?=[A-Za-z])")
_HANDLE_AT_START = re.compile(r"\A\s*(?:RT\s+)?(?:@\w+:?\s+)+")
_SYMBOLS = re.compile(f"[{_EMOJI}]+")


def without_marks(text: str) -> str:
    """The text without emoji and tags; a tag inside a sentence is one of its words."""
    plain = _HANDLE_AT_START.sub("", text)
    plain = _SYMBOLS.sub(" ", plain)
    lines = [_TAGS_AT_END.sub("", line) for line in plain.splitlines()]
    kept = (_TICKER.sub("", _TAG.sub(lambda m: m.group(1) or m.group(2), line)) for line in lines)
    return "\n".join(line.strip() for line in kept if line.strip())


_CRIES_EN = (
    r"breaking(?: news)?|just in|update|alert|urgent|flash|developing|exclusive|scoop|rumou?rs?|big news|huge|massive|"
    r"news|psa|heads up|attention|warning|fyi|report|leak|leaked|official|confirmed|done|now|latest|wow|omg|holy \w+|hot|"
    r"reminder|watch|listen up|guys|everyone|so|ok|no|yes|well|spotted|tip|hearing|heads-up|live|crypto news|unconfirmed"
)
_CRIES_ZH = (
    "快讯|突发|重磅|刚刚|最新(?:消息)?|速递|独家|爆料|紧急(?:转发|通知|扩散)?|注意|警告|重要|小道消息|号外|头条|消息|"
    "利好|利空|惊爆|震惊|炸裂|出大事了|大事|速看|速报|急|转|网传消息|今日|内幕|猛料|大瓜|吃瓜|预警|提醒|捷报|公告|官宣"
)
# Cries at the beginning, with the mark that ends them or in brackets.
OPENING = re.compile(
    rf"\s*(?:[\[【(](?:[^\]】)]{{1,12}})[\]】)]\s*[:|]?"
    rf"|(?:(?:{_CRIES_EN})\b(?:\s+(?:{_CRIES_EN})\b)*|(?:{_CRIES_ZH})+)\s*(?:[:!|/-]|,|\.{{2,}}|。|\s-\s)+"
    r"|[-|>*•·\"'~!。,:/]+(?=\s|\w))\s*"
)
_OUTLETS = (
    "reuters|bloomberg|wsj|the wall street journal|ft|financial times|cnbc|ap|afp|coindesk|the block|cointelegraph|decrypt|"
    "axios|politico|cnn|bbc|nyt|new york times|the verge|techcrunch|the information|nikkei|路透(?:社)?|彭博(?:社)?|财新(?:网)?|"
    "金十(?:数据)?|新华社|央视(?:新闻)?|澎湃(?:新闻)?|第一财经|财联社|华尔街见闻|金色财经|吴说|链捕手|中央社|联合报|自由时报|美联社|法新社|"
    "日经|经济日报|证券时报|界面新闻|每日经济新闻|南华早报"
)
_PEOPLE_EN = (
    r"(?:(?:multiple|several|two|three|various|unnamed|anonymous|trusted|my|some|inside|industry|local|market|on-chain) )*"
    r"(?:sources?|insiders?|people|reports?|outlets|media|rumou?rs?|analysts?|traders|a friend|friends|twitter|ct|word|everyone|posts?|"
    r"a (?:source|person|insider)|officials|leakers?)(?: (?:familiar with (?:the matter|it)|close to (?:the )?[\w ]{3,30}|on (?:x|twitter|the street)))?"
)
_PEOPLE_ZH = (
    "(?:多位|多名|两名|两位|一名|有|据|多家|某)?(?:内部人士|知情人士|消息人士|业内人士|接近[^,。]{2,14}的?人士|知情者|圈内人|内部消息|"
    "相关人士|市场消息|外媒|媒体|可靠消息|小道消息|社区|网友|群友|朋友|坊间|市场|匿名人士|爆料人)"
)
SAID_AT_START = re.compile(
    rf"(?:{_PEOPLE_EN})\s+(?:say|says|said|claim|claims|tell|tells|told|suggest|suggests|report|reports|reporting|confirm|is|has it)\w*"
    r"(?: (?:me|us|that))*[,:]?\s+(?:that )?"
    r"|(?:i'?m |we'?re |i |i've |just )?(?:hear|hearing|heard|reading|seeing|told|saw|been told)(?: (?:that|from [\w ]{3,20}))?[,:]?\s+"
    r"|(?:it is|it's|its) (?:rumou?red|said|reported|alleged|being reported|claimed)(?: that)?\s+"
    r"|rumou?r (?:has it|is|going around)(?: that)?[,:]?\s+|word (?:is|on the street is)(?: that)?[,:]?\s+"
    r"|(?:reportedly|allegedly|apparently|supposedly|unconfirmed)[,:]?\s+"
    rf"|according to [^,]{{2,50}},\s*|(?:{_OUTLETS})\s*(?:reports?|says?|消息|报道|快讯|讯|称|电)?\s*[:,|-]\s*"
    rf"|(?:{_OUTLETS})\s+(?:reports?|says?|is reporting|reporting)(?: that)?\s+"
    rf"|{_PEOPLE_ZH}(?:的消息)?(?:独家)?(?:透露|称|表示|说|爆料|指出|指|向[^,。]{{2,12}}(?:透露|表示))(?:称|说)?[,:]?(?:说|称)?"
    "|(?:内部消息|小道消息|可靠消息|市场消息)[,:]"
    rf"|据(?:{_OUTLETS}|[^,。]{{1,14}})(?:报道|报导|消息|透露|称|爆料|援引[^,。]{{2,20}}报道)(?:称|说|指)?[,:]?"
    "|据(?:传|称|悉|说|了解|闻)[,:]?|(?:网|盛|疯|风|谣|纷)传[,:]?|传闻?(?:称|说)?[,:]|传言?(?:称|说)[,:]?|有?(?:消息|传言|传闻|爆料)(?:称|说|指|人士称)[,:]?"
    "|市场传出|(?:我)?(?:听说|刚听说|刚看到|刚刚看到|看到消息说?|听朋友说|有人说|有朋友说|群里说|群里都在传)[,:]?|传(?=[^统播媒染真承输说奇感染销]{2})"
    rf"|(?:{_OUTLETS})(?:报道|消息|称|援引[^,。]{{2,20}}(?:报道|称))(?:称|说)?[,:]?"
)
SAID_AT_END = re.compile(
    rf"\s*[,|(-]*\s*(?:{_PEOPLE_EN})\s+(?:say|says|said|claim|claims|tell|told|suggest|report|reports|confirm)\w*(?: (?:me|us|[\w ]{{2,16}}))?\)?[.!]*\Z"
    rf"|\s*[,(-]*\s*(?:according to|per|via|citing|source:|sources:|h/t) [^,.]{{2,50}}\)?[.!]*\Z"
    rf"|\s*[,|(-]+\s*(?:{_OUTLETS})(?: (?:reports?|says?))?\)?[.!]*\Z"
    r"|\s*,\s*(?:[\w' ]{2,30}) (?:paper|newspaper|media|outlets?|press|tv|sources?) (?:reports?|say|says|said)[.!]*\Z"
    r"|\s*[(\[]?(?:unconfirmed|rumou?r|dyor|nfa)[)\]]?[.!]*\Z|\s*,?\s*(?:apparently|allegedly|reportedly|supposedly)[.!]*\Z"
    r"|\s*,?\s*it's (?:posted|up) on [^,]{2,40}\Z"
    rf"|[,;(]\s*{_PEOPLE_ZH}(?:透露|称|表示|说)[。!)]*\Z|[,;(]?\s*(?:消息)?(?:来源|消息来自|来自|via)[:]?[^,。]{{2,16}}[。)]*\Z"
    rf"|[,;]?\s*(?:{_OUTLETS})(?:报道|消息|称)[。!]*\Z|[,(]?(?:待证实|未经证实|待核实|尚未证实|消息待确认|有待证实)[。)!]*\Z"
)
# Inside a sentence: the message's own doubt, not part of what is to happen.
HEDGE = re.compile(
    r"\b(?:reportedly|allegedly|apparently|supposedly|purportedly)\b,?\s?|据传|据称|据说|据悉|疑似|传闻|(?<=\w)(?:网传|盛传)(?=\w)"
)
CALL = re.compile(
    r"\b(?:don'?t (?:connect|click|miss|trust|fomo|panic)|do your own|dyor|nfa|not financial advice|buy now|buy the dip|load (?:up|your)|"
    r"to the moon|moon soon|lfg|wagmi|ngmi|let'?s go+|stay safe|be careful|watch out|retweet|rt if|like and|follow (?:me|us)|share this|"
    r"join (?:us|our|my)|link in|thread|read more|click|sign up|get in|ape|aping|send it|pump (?:it|incoming)|get out|move your|"
    r"withdraw (?:your|now|everything)|sell (?:now|everything)|run|bullish|bearish|thoughts|what do you think|long read|stay tuned|"
    r"in shock|huge news|this is big|you heard it here|full story|details (?:below|inside)|pray|rip)\b|"
    "赶紧|赶快|赶忙|快看|快跑|快走|快啲|快点|快逃|快去|冲不冲|冲冲|冲鸭|上车|梭哈|抄底|转发|扩散|转给|转告|大家(?:注意|小心|快)|家里有|怎么看|怎么办|"
    "不构成投资建议|仅供参考|起飞|暴富|牛市|要涨|要跌|发财|一起|加群|加微信|扫码|关注我|点赞|评论区|别错过|不要错过|速度|抓紧|小心|"
    "有仓位|有没有人|各位|兄弟们|家人们|求证|是真的吗|真的假的|你怎么看|晚了就|提高警惕|请勿|切勿|保命|避难包|先准备|叫大家"
)
# Says only how the news travels: no announcement yet, pictures are out.
NO_NEWS = re.compile(
    r"\b(?:no (?:official )?(?:announcement|statement|comment|word)(?: yet)?|not (?:yet )?announced|(?:screenshots?|proof|pics?) (?:below|attached|inside)|"
    r"reported by several sites|all over (?:x|twitter|ct))\b|"
    "(?:还没|尚未|没有|暂无|未)(?:发)?(?:公告|公布|官宣|回应|官方)|截图(?:都)?(?:出来|为证|在此|曝光)|(?:已经)?刷屏|全网疯传|热议|消息(?:已)?传开|我的看法|文件截图"
)
QUESTION = re.compile(
    r"\?\s*[\"')]*\Z|(?:吗|呢|么)[?。!]*\Z|\A(?:is|are|does|did|will|can|has|why|how|what|who|when|anyone) .*\?|是不是|真的假的|为什么|怎么回事"
)
OPINION = re.compile(
    r"\A\W*(?:in my (?:view|opinion)|imo\b|imho\b|i (?:think|believe|feel|love|hate|hope|wish|expect|bet|guess|doubt)\b|my (?:take|view|opinion|prediction|thesis|bags?)\b|"
    r"unpopular opinion|hot take|opinion:|personally|good (?:morning|night|evening)|gm\b|gn\b|hello\b|hi (?:all|everyone|guys)|happy \w+|thank(?:s| you)|congrats|welcome)|"
    "\\A\\W*(?:个人(?:浅见|观点|看法|认为|觉得)|我(?:认为|觉得|相信|猜|看好|感觉|预计)|本人(?:认为|看好)|在我看来|浅见|观点[:]|个人预测|早安|早上好|晚安|大家好|你好|谢谢|感谢|新年快乐|"
    "祝|恭喜|周末愉快|节日快乐|欢迎)"
)
AND = re.compile(
    r",? - and |,? and (?:also |then |that )?|;\s*|,? while |,? plus |\. also,? |,? but (?:also )?"
)
BESIDES = re.compile(
    "[,;、]?\\s?(?:同时(?:宣布|还|也)?|并且|而且|此外|另外|以及宣布|与此同时)[,]?|[,;](?:并(?!非|未|无|不)|且|还|也|另)|;|(?<=[^,;、])并(?=宣布|将|计划|已|关闭|停|推出|收购|裁|任命|暂停)"
)
ANAPHOR = re.compile(
    r"(?:and )?(?:the (?:company|firm|exchange|bank|group|project|team|protocol|platform|carrier|airline|agency)|it|they|he|she)\s+(?=\w)|"
    "(?:该?公司|其|它|该行|该所|该平台|该交易所|平台|团队|项目方|官方|双方)"
)
