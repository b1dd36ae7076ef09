"""MCP with the official client, over both transports."""
