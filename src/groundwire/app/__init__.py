"""The application: everything is built here, and every door calls the one facade."""

from groundwire.app.facade import App, open_app

__all__ = ["App", "open_app"]
