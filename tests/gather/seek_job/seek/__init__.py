"""seek: searches for one thing, as any job makes them."""
