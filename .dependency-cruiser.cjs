// The hexagon, kept by a machine: arrows point inwards, subjects do not know each other's adapters.
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: allowed }
})

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-undeclared-dependency",
      comment: "A package uses only what its own package.json names",
      severity: "error",
      from: { path: "^(packages|examples)/", pathNot: "/test/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"] }
    },
    only(
      "core-is-pure",
      "core knows effect, ipaddr.js and itself: no Node, no SQL, no HTTP",
      "^packages/core/src",
      ["^packages/core/src", "/node_modules/(effect|ipaddr\\.js)/"]
    ),
    {
      name: "core-uses-stable-effect",
      comment: "These parts of effect may break in a minor version; adapters follow them, the core does not",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: {
        path: "/node_modules/effect/.*/(ai|cli|cluster|crypto|devtools|eventlog|graphql|http|http-api|net|observability|persistence|process|rpc|socket|sql|workers|workflow)/"
      }
    },
    {
      name: "adapters-do-not-know-each-other",
      severity: "error",
      from: { path: "^packages/(http|worker|sql-adapter)/src" },
      to: { path: "^packages/(http|worker|sql-adapter|cli)/src", pathNot: "^packages/$1/src" }
    },
    {
      name: "nothing-imports-the-cli",
      severity: "error",
      from: { path: "^(packages/(?!cli/)|examples)" },
      to: { path: "^packages/cli/" }
    },
    {
      name: "sql-stays-in-its-adapter",
      severity: "error",
      from: { path: "^packages/(core|http|worker)/src" },
      to: { path: "/node_modules/(@effect/sql-pg|pg|effect/(dist|src)/sql)/|^node:sqlite$" }
    },
    {
      name: "parts-of-the-platform",
      comment:
        "@effect/platform-node by its parts: its index loads the clients of Redis, 650 files at each start",
      severity: "error",
      from: { path: "^packages/.*/src" },
      to: { path: "/node_modules/@effect/platform-node/dist/index" }
    },
    {
      name: "api-declaration-runs-in-a-browser",
      severity: "error",
      from: { path: "^packages/http/src/.*[aA]pi\\.ts$" },
      to: { dependencyTypes: ["core"] }
    },
    {
      name: "tests-stay-outside",
      severity: "error",
      from: { path: "/src/" },
      to: { path: "/test/" }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(packages/[^/]+|examples)/dist/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
      mainFields: ["module", "main"]
    }
  }
}
