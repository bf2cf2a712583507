"""From TMDB's ids of people to IMDb's, asked over HTTP, kept in a file; the one home of httpx and tenacity."""
