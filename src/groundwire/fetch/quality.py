"""A wall is not a page: soft 404s, consent walls, captchas, log-ins and empty shells are refused."""

from __future__ import annotations

import re

from groundwire.errors import Captcha, Refused, Unreadable

# Text longer than this is an article, even one about captchas.
_LONG = 1500
_LEAST = 40
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_NOT_FOUND = _any(
    r"\b404 (?:error|not found|page)",
    r"\berror 404\b",
    r"\b404[\s，：:]*(?:错误|錯誤|页面|頁面)",
    r"\b(?:page|article|content|file) (?:was |is |has |could |can )?(?:not|n't|no longer) (?:be )?(?:found|available|exist)",
    r"page (?:you(?:'re| are) looking for|does(?:n't| not) exist)",
    r"couldn['’]?t find (?:the|that|this) page",
    r"nothing (?:was )?found here",
    r"no longer exists",
    r"(?:页面|网页|頁面|網頁|文章|内容|內容|链接|連結)(?:已经|已經|已被|已)?(?:不存在|找不到|被删除|被刪除|删除|刪除|失效|丢失|下线|下架)",
    r"(?:找不到|无法找到|無法找到|没有找到|沒有找到|未找到)(?:该|此|这个|這個|您|你)?.{0,12}(?:页面|网页|頁面|網頁|内容|內容|文章)",
    r"(?:您|你)(?:所)?(?:访问|訪問|查找|瀏覽|浏览|要找)的?.{0,8}(?:不存在|已删除|已刪除|找不到)",
)
_CAPTCHA = _any(
    r"captcha",
    r"verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?(?:human|not a robot)",
    r"are you a robot",
    r"checking (?:if the site connection is secure|your browser)",
    r"unusual traffic",
    r"just a moment\.\.\.",
    r"enable javascript and cookies to continue",
    r"access to this page has been denied",
    r"attention required",
    r"人机验证",
    r"人機驗證",
    r"滑动验证",
    r"滑動驗證",
    r"安全验证",
    r"安全驗證",
    r"请完成.{0,6}验证",
    r"請完成.{0,6}驗證",
    r"拖动.{0,6}滑块",
    r"拖動.{0,6}滑塊",
    r"输入验证码",
    r"輸入驗證碼",
    r"访问过于频繁",
    r"訪問過於頻繁",
    r"异常流量",
    r"異常流量",
    r"机器人验证",
    r"機器人驗證",
)
_DENIED = re.compile(r"access denied", re.IGNORECASE)
_CONSENT = _any(
    r"(?:accept|allow|reject) all(?: cookies)?",
    r"we (?:value|care about|respect) your privacy",
    r"before you continue",
    r"we (?:and our partners )?use cookies",
    r"cookie (?:consent|settings|preferences)",
    r"manage (?:your )?(?:cookie|privacy|consent)",
    r"接受(?:所有|全部)",
    r"同意并继续",
    r"同意並繼續",
    r"(?:使用|接受).{0,6}cookie",
    r"(?:重视|重視|尊重)您的(?:隐私|隱私)",
    r"隐私(?:设置|偏好)",
    r"隱私(?:設定|偏好)",
)
_LOGIN = _any(
    r"(?:log|sign) ?in (?:to|or) (?:continue|read|view|access|see|register|sign up|create)",
    r"please (?:log|sign) ?in",
    r"you must be (?:logged|signed) in",
    r"(?:create|register for) (?:a|an|your) (?:free )?account to",
    r"subscribe to (?:continue|read)",
    r"subscribers only",
    r"already a subscriber",
    r"(?:请|請)(?:先)?(?:登录|登錄|登入)",
    r"(?:登录|登錄|登入)后?後?(?:即可)?(?:查看|阅读|閱讀|继续|繼續|可见|可見)",
    r"扫码登录",
    r"掃碼登入",
    r"(?:注册|註冊|订阅|訂閱)(?:后|後)(?:查看|阅读|閱讀|继续|繼續)",
    r"付费(?:阅读|内容)",
    r"付費(?:閱讀|內容)",
)
_SCRIPT = _any(
    r"(?:enable|requires?|turn on|need) (?:your )?java ?script",
    r"javascript (?:is|to be|must be) (?:disabled|enabled|required)",
    r"loading\s*(?:\.{3}|…)",
    r"(?:启用|开启|啟用|開啟|打开|打開|需要|允许|允許).{0,4}javascript",
    r"正在加载",
    r"正在載入",
    r"加载中",
    r"載入中",
)
_TITLE_404 = _any(
    r"^\W*(?:error )?404\b",
    r"\b404\W*$",
    r"\b404\b.*not found",
    r"page not found",
    r"not found\s*(?:[-|–—·].*)?$",
    r"(?:页面|网页|頁面|網頁)(?:不存在|找不到|未找到)",
    r"找不到(?:页面|网页|頁面|網頁)",
    r"未找到(?:页面|网页)",
)


def weight(text: str) -> int:
    """Length in Latin letters: a Chinese character says about as much as two and a half."""
    wide = len(_WIDE.findall(text))
    return len(text) - wide + wide * 5 // 2


def check(title: str, text: str, whole: str = "", *, scripts: int = 0) -> None:
    """Raise `Unreadable`, `Captcha` or `Refused` with the reason if the page is a wall.

    `text` is what was extracted, `whole` all that a reader would see, `scripts` how many the page
    has. Only little text is suspicious; a long article is never judged by its words.
    """
    size = weight(text)
    if size >= _LONG:
        return
    # Menus and banners stand around short notices too, so they count only where nothing else is.
    seen = f"{title}\n{text}\n{whole[:3000] if size < 100 else ''}"
    if _TITLE_404.search(title) or (size < 600 and _NOT_FOUND.search(seen)):
        raise Unreadable("outside.soft_404")
    if _CAPTCHA.search(title) or (size < 900 and _CAPTCHA.search(seen)):
        raise Captcha("outside.captcha")
    if _DENIED.search(title) or (size < 900 and _DENIED.search(seen)):
        raise Refused("outside.denied")
    if size < 900 and len(_CONSENT.findall(seen)) >= (1 if size < 500 else 2):
        raise Unreadable("outside.consent")
    if size < 900 and _LOGIN.search(seen):
        raise Unreadable("outside.login")
    if size < 400 and _SCRIPT.search(seen):
        raise Unreadable("outside.shell")
    if size < _LEAST:
        if scripts:
            raise Unreadable("outside.shell")
        raise Unreadable("outside.no_readable")
