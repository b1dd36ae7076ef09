"""The interfaces: command line, REST, pages, MCP. Each parses, calls the facade, and renders."""
