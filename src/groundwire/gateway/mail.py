"""Mail on its way out: one connection for each mail, under a time limit."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from dataclasses import dataclass
from typing import Literal

from pydantic import SecretStr

from groundwire import errors


@dataclass(frozen=True, slots=True)
class Envelope:
    """A mail as it is sent, and to which server; never recorded, as it holds the password."""

    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    user: str
    password: SecretStr | None
    sender: str
    to: tuple[str, ...]
    message: bytes


async def send_mail(envelope: Envelope, timeout: float) -> int:
    """Send a mail; return the server's code. Raises `OutsideFailure`."""
    try:
        return await asyncio.to_thread(_send, envelope, timeout)
    except smtplib.SMTPAuthenticationError as error:
        raise errors.AuthRejected(
            "outside.key_invalid",
            who="mail",
            setting="notify.mail.password",
            status=error.smtp_code,
        ) from error
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        raise _refused(code, said) from error
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code, error.smtp_error) from error
    except TimeoutError as error:
        raise errors.Timeout from error
    except ssl.SSLError as error:
        raise errors.NetworkDown("outside.broke", why=error) from error
    except smtplib.SMTPServerDisconnected as error:
        raise errors.BrokenOff("outside.broke", why=error) from error
    except smtplib.SMTPException as error:  # it lacks STARTTLS, or a login that was asked for
        raise errors.BadRequest("outside.broke", why=error) from error
    except OSError as error:
        where = f"{envelope.host}:{envelope.port}"
        raise errors.NetworkDown("outside.unreached", who=where, why=error) from error


def _send(envelope: Envelope, timeout: float) -> int:
    context = ssl.create_default_context()
    if envelope.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            envelope.host, envelope.port, timeout=timeout, context=context
        )
    else:
        server = smtplib.SMTP(envelope.host, envelope.port, timeout=timeout)
    with server:
        if envelope.security == "starttls":
            server.starttls(context=context)
        if envelope.password is not None:
            server.login(envelope.user, envelope.password.get_secret_value())
        server.sendmail(envelope.sender, envelope.to, envelope.message)
    return 250


def _refused(code: int, said: bytes | str) -> errors.OutsideFailure:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    detail = " ".join(text.split())[:200]
    # 4xx: not now; 5xx: never like this.
    kind = errors.ServerFault if code < 500 else errors.BadRequest
    return kind("outside.answered_detail", status=code, who="mail", http=code, detail=detail)
