"""outline: a topic in, what a person let us write about it out; a job that asks before it goes on."""
