"""Walls are failed documents, never short ones; articles about walls are articles."""

from __future__ import annotations

import pytest

from groundwire.errors import Captcha, OutsideFailure, Refused, Unreadable
from groundwire.fetch.extract import extract
from groundwire.fetch.quality import check, weight

WALLS = [
    # title, text, the word in the reason
    ("404 Not Found", "Back to the home page", "soft 404"),
    (
        "Page not found | The Daily",
        "Sorry, we couldn't find that page. Try our search.",
        "soft 404",
    ),
    ("The Daily", "Oops! The page you are looking for has moved.", "soft 404"),
    ("404", "您访问的页面不存在，3秒后返回首页", "soft 404"),
    ("提示", "抱歉，您查找的文章已删除。", "soft 404"),
    ("某某网", "页面不存在，请检查链接是否正确", "soft 404"),
    ("找不到頁面", "很抱歉，您要找的網頁不存在。", "soft 404"),
    ("提示信息", "該文章已被刪除，內容已下架", "soft 404"),
    ("Just a moment...", "Checking your browser before accessing example.com.", "captcha"),
    ("Security check", "Please verify you are a human. Complete the CAPTCHA below.", "captcha"),
    ("安全验证", "请完成下方验证后继续访问", "captcha"),
    ("提示", "您的访问过于频繁，请输入验证码", "captcha"),
    ("安全驗證", "請完成下方驗證後繼續", "captcha"),
    ("Access Denied", "You don't have permission to access this on this server.", "denied"),
    ("Example", "We value your privacy. We and our partners use cookies. Accept all", "consent"),
    ("Before you continue", "Before you continue to the site, reject all or accept all", "consent"),
    ("示例", "我们重视您的隐私。本网站使用 Cookie。接受所有", "consent"),
    ("示例", "我們重視您的隱私。本網站使用 Cookie。接受全部", "consent"),
    ("Example", "Please log in to continue reading this story.", "log-in"),
    ("Example", "Already a subscriber? Subscribe to continue reading.", "log-in"),
    ("示例", "请先登录后查看全文内容", "log-in"),
    ("範例", "請先登入會員，登入後閱讀全文", "log-in"),
    ("App", "You need to enable JavaScript to run this app.", "JavaScript"),
    ("应用", "请启用 JavaScript 后继续浏览", "JavaScript"),
    ("應用", "請啟用JavaScript以繼續", "JavaScript"),
    ("App", "Loading...", "JavaScript"),
    ("应用", "正在加载", "JavaScript"),
    ("Empty", "", "no readable text"),
]


def kind_of(reason: str) -> type[OutsideFailure]:
    """Name the failure: a captcha, a refusal, or a page without an article."""
    return {"captcha": Captcha, "denied": Refused}.get(reason, Unreadable)


@pytest.mark.parametrize(("title", "text", "reason"), WALLS)
def test_a_wall_is_refused_with_its_reason(title: str, text: str, reason: str) -> None:
    with pytest.raises(kind_of(reason), match=reason):
        check(title, text)


@pytest.mark.parametrize(("title", "text", "reason"), [w for w in WALLS if w[1]])
def test_a_wall_is_refused_as_a_whole_page(title: str, text: str, reason: str) -> None:
    markup = (
        f"<html><head><title>{title}</title><script>var a=1</script></head>"
        f"<body><nav><a href='/'>Home</a></nav><div><p>{text}</p></div></body></html>"
    )
    with pytest.raises(kind_of(reason), match=reason):
        extract(markup.encode(), "text/html; charset=utf-8", "https://example.com/a")


def test_an_empty_shell_is_known_by_its_scripts() -> None:
    markup = "<html><head><title>App</title></head><body><div id='root'></div>{}</body></html>"
    with pytest.raises(Unreadable, match="JavaScript"):
        extract(
            markup.format("<script src='a.js'></script>").encode(), "text/html", "https://e.com"
        )
    with pytest.raises(Unreadable, match="no readable text"):
        extract(markup.format("").encode(), "text/html", "https://e.com")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("How captchas work", "A captcha asks whether you are a robot. " * 60),
        ("The history of the 404 page", "The page not found message has a long history. " * 50),
        ("验证码是怎样工作的", "人机验证要求用户拖动滑块，以证明自己不是机器人。" * 40),
        (
            "Notice",
            "The exchange resumed withdrawals at 09:00 UTC on Monday, its status page says.",
        ),
        ("公告", "本所将于今日十八时恢复提币服务，感谢您的耐心等待与支持。"),
    ],
)
def test_an_article_is_an_article(title: str, text: str) -> None:
    check(title, text)


def test_chinese_weighs_more_by_the_character() -> None:
    assert weight("abcd") == 4
    assert weight("央行降准") == 10


def test_a_short_notice_under_a_cookie_banner_is_a_notice() -> None:
    notice = (
        "The exchange resumed withdrawals of all coins at 09:00 UTC; 404 orders were cancelled."
    )
    markup = (
        "<html><head><title>Withdrawals resumed</title></head><body>"
        "<nav><a href='/login'>Please log in to continue</a></nav>"
        f"<main><h1>Withdrawals resumed</h1><p>{notice}</p></main>"
        "<div class='cookie-banner'>We use cookies. Accept all</div></body></html>"
    )
    found = extract(markup.encode(), "text/html", "https://example.com/notice")
    assert notice in found.text
