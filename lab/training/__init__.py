"""What the encoders of the reader learn from: families written for it, edits of true sentences, and public pairs."""
