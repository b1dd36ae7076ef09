"""Data: numbers from JSON APIs: providers of pure requests and readings, one network path."""
