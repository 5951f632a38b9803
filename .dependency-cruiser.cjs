// Who may import whom: a package imports siblings of lower layers only, and by name. Tests may import any sibling, by name.
// Whether a package declares what it imports is checked elsewhere, by knip and on the packed files.
const layers = [
  ["streamjson"],
  ["messages"],
  ["process", "control", "toolhost", "sessions", "wiretap", "testkit"],
  // The stores stand beside the sdk: users hand them in. Only the command loads one, when a URL asks for it.
  ["sdk", "sessions-redis", "sessions-s3", "sessions-postgres"],
  ["bridge", "runtime"],
  ["chat"],
  ["cli"],
];

const isTest = "\\.test\\.ts$|^packages/[^/]+/(test|examples)/";

const layering = layers.map((names, index) => ({
  name: `layer-${index}-imports-below-only`,
  comment: `${names.join(", ")} may import ${layers.slice(0, index).flat().join(", ") || "no sibling"}.`,
  severity: "error",
  from: { path: `^packages/(${names.join("|")})/src/`, pathNot: isTest },
  to: { path: "^packages/", pathNot: ["$1", ...layers.slice(0, index).flat()].map((name) => `^packages/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...layering,
    {
      name: "package-has-a-layer",
      comment: "Add the package to the table in .dependency-cruiser.cjs.",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/(${layers.flat().join("|")})/` },
      to: {},
    },
    {
      name: "testkit-in-tests-only",
      comment: "Only tests, apps and benches use the testkit and the servers for tests.",
      severity: "error",
      from: { path: "^packages/(?!testkit/)", pathNot: isTest },
      to: { path: "^(packages/testkit|test-servers)/" },
    },
    {
      name: "siblings-by-name",
      comment: "Import a sibling by its package name, not by a relative path.",
      severity: "error",
      from: { path: "^((?:packages|apps)/[^/]+|bench|contracts|test-servers)/" },
      to: { path: "^(packages|apps|bench|contracts|test-servers)/", pathNot: "^$1/", dependencyTypes: ["local"] },
    },
    {
      name: "resolvable",
      comment: "The import leads nowhere: is it declared in the package that imports it?",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-circle",
      comment: "Modules that need each other to load. Types may refer to each other.",
      severity: "error",
      from: { pathNot: isTest },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["/dist/", "/temp/", "/fixtures/"] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@reins/source", "import", "types", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
