"""What cores say in codes, in words that name people (STYLE 10): for pages, the API and the command line alike."""
