"""What is kept: rows in, values out. Nothing above it sees a row or an SQL error."""
