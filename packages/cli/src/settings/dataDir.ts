import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const name = ".clicks"

// Another user's folder, such as one in /tmp, could contain a database whose settings run programs.
const isOwn = (folder: string): boolean => {
  const self = process.getuid?.()
  return self === undefined || statSync(folder).uid === self
}

const above = (folder: string): ReadonlyArray<string> => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...above(parent)]
}

/**
 * The absolute path of the data folder: the given one, or else `.clicks` in the current folder or the nearest parent that has
 * one, as Git finds `.git`. If there is none, `.clicks` in the current folder.
 */
export const locateDataDir = (given: string | undefined): string => {
  if (given !== undefined) return resolve(given)
  const candidates = above(process.cwd()).map((folder) => join(folder, name))
  return candidates.find((folder) => existsSync(folder) && isOwn(folder)) ?? resolve(name)
}
