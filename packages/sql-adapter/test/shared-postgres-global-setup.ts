import type { TestProject } from "vitest/node"
import start from "./postgres-global-setup.ts"

/** One server for all projects of a run that need it. The first project starts it, and the end of the run stops it. */
export default async function setup(project: TestProject) {
  const everyProject = project.vitest.getRootProject()
  return "postgresUrl" in everyProject.getProvidedContext() ? undefined : start(everyProject)
}
