import { setFlagsFromString } from "node:v8"

// A long stream of rows keeps a few megabytes alive at any moment. Left alone, V8 answers with 380 MB of heap, nearly all of
// it garbage that it has not looked at; told to grow its young space no further and to look when the old one has doubled, it
// stays below 200 MB for a tenth more processor time. Measured with 2 million rows. Has to run before Effect is loaded.
setFlagsFromString("--semi-space-growth-factor=1")
setFlagsFromString("--heap-growing-percent=100")
