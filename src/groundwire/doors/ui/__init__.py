"""The desk as people see it: pages rendered here, kept live by the stream of events."""
