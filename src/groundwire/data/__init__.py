"""Numbers from JSON APIs: providers of pure requests and parsers, one network path."""
