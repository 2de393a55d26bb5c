# A word a line, in small letters. An apostrophe is part of its word.
tr -cs "[:alpha:]'" '\n' | tr '[:upper:]' '[:lower:]' | grep . || true
