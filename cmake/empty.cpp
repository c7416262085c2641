// Stands in for the sources of a library none of whose modules exists yet.
