"""The desk over HTTP: REST, streams of events, and access. `application.create` builds it."""
