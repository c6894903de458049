// The packages of Node write their platform as a text, which pnpm ignores: it would install Node for Windows everywhere.
const listed = (platform) => (typeof platform === "string" ? [platform] : platform)

// In the workspace an export is a TypeScript source; in a packed package it is what the compiler makes of it.
const compiled = (path) =>
  path
    .replace(/^\.\/src\//, "./dist/")
    .replace(/^\.\/test\/contract\//, "./dist/testing/")
    .replace(/\.ts$/, ".js")

export const hooks = {
  readPackage: (manifest) =>
    /^node-(darwin|linux|win)-/.test(manifest.name)
      ? { ...manifest, os: listed(manifest.os), cpu: listed(manifest.cpu) }
      : manifest,
  beforePacking: (manifest) => ({
    ...manifest,
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([name, path]) => [name, compiled(path)])
    )
  })
}
