"""The desk over HTTP: REST, streams of events, and who may come in. `application.create` builds it."""
