// Loaded into a command under test: tells at its end how much memory it held at most, in kilobytes.
process.on("exit", () => process.stderr.write(`\npeak ${process.resourceUsage().maxRSS} kB\n`))
