// Checks the hexagon: packages import inwards, subjects import only the subjects listed here.

/** The subjects that code of each subject may import, in every package. In adapters, all may ask who is calling. */
const imports = {
  access: [],
  clicks: ["access"],
  stores: ["access"],
  tasks: ["access", "stores"],
  analytics: ["access", "clicks"]
}
const subjects = Object.keys(imports).join("|")

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
      comment: "A package imports only the packages that its own package.json lists",
      severity: "error",
      // The dashboard's dependencies are built into its page.
      from: { path: "^(packages|examples)/", pathNot: "/test/|/build\\.mjs$|^packages/dashboard/" },
      // An optional package is a peer dependency, and installed here for its types and tests.
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"],
        dependencyTypesNot: ["npm-peer"]
      }
    },
    only(
      "core-is-pure",
      "core knows effect, ipaddr.js and itself: no Node, no SQL, no HTTP",
      "^packages/core/src",
      ["^packages/core/src", "/node_modules/(effect|ipaddr\\.js)/"]
    ),
    only("browser-imports-nothing", "Pages load every byte of this package", "^packages/browser/src", [
      "^packages/browser/src"
    ]),
    {
      name: "core-uses-stable-effect",
      comment:
        "These parts of effect may break in a minor version. Adapters may depend on them, core must not",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: {
        path: "/node_modules/effect/.*/(ai|cli|cluster|crypto|devtools|eventlog|graphql|http|http-api|net|observability|persistence|process|rpc|socket|sql|workers|workflow)/"
      }
    },
    ...Object.entries(imports).map(([subject, others]) => ({
      name: `${subject}-imports-only-${["itself", ...others].join("-")}`,
      severity: "error",
      from: { path: `^packages/[^/]+/src/${subject}/` },
      to: {
        path: `^packages/[^/]+/src/(${subjects})/`,
        pathNot: `^packages/[^/]+/src/(${[subject, ...others].join("|")})/`
      }
    })),
    {
      name: "core-subjects-do-not-ask-who-is-calling",
      comment: "Only adapters use callers; core takes a user id",
      severity: "error",
      from: { path: "^packages/core/src/(?!access/)[^/]+/" },
      to: { path: "^packages/core/src/access/" }
    },
    only(
      "values-import-nothing",
      "All subjects share these values, so they import no subject",
      "^packages/core/src/values/",
      ["^packages/core/src/values/", "/node_modules/"]
    ),
    {
      name: "clicks-do-not-import-their-recording",
      comment: "Recording uses the models and ports of clicks, not the other way round",
      severity: "error",
      from: { path: "^packages/(core|http)/src/clicks/[^/]+$" },
      to: { path: "^packages/$1/src/clicks/recording/" }
    },
    {
      name: "shared-folders-import-no-subject",
      severity: "error",
      from: {
        path: "^packages/([^/]+)/src/(requests|responses|openapi|server|terminal|settings|process|files)/"
      },
      to: { path: `^packages/$1/src/(${subjects})/` }
    },
    {
      name: "folders-of-http-do-not-import-its-composition",
      severity: "error",
      from: { path: "^packages/http/src/[^/]+/" },
      to: { path: "^packages/http/src/[^/]+$" }
    },
    {
      name: "adapters-do-not-know-each-other",
      severity: "error",
      from: { path: "^packages/(http|worker|sql-adapter|clickhouse-adapter)/src" },
      to: {
        path: "^packages/(http|worker|sql-adapter|clickhouse-adapter|cli)/src",
        pathNot: "^packages/$1/src"
      }
    },
    {
      name: "dashboard-knows-the-api-by-its-types",
      comment: "The page contains neither the declaration of the API nor Effect",
      severity: "error",
      from: { path: "^packages/dashboard/src" },
      to: { path: "^packages/(?!dashboard/)|/node_modules/effect/", dependencyTypesNot: ["type-only"] }
    },
    only(
      "dashboard-knows-only-the-api",
      "The dashboard imports only the declaration of the API",
      "^packages/dashboard/src",
      ["^packages/dashboard/src", "^packages/http/src/api\\.ts$", "/node_modules/"]
    ),
    {
      name: "nothing-imports-the-cli",
      comment: "The tests of the dashboard start the whole service",
      severity: "error",
      from: { path: "^(packages/(?!cli/|dashboard/test/)|examples)" },
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
      from: { path: "^packages/.*/src/" },
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
