/** A way to break a promise: a replacement in a source file of the service. */
export interface Sabotage {
  readonly file: string
  readonly find: string
  readonly replace: string
}

const storeBatch = "/core/src/clicks/recording/storeBatch.ts"

/** Each sabotage breaks exactly one promise. */
export const sabotages = {
  "answers before the commit": {
    file: storeBatch,
    find: "counted(attempt(batch, destination))",
    replace:
      'counted(Effect.as(Effect.forkDetach(Effect.delay(attempt(batch, destination), 1000)), batch.map((): ReceiptOutcome => "stored")))'
  },
  "a new id at each retry": {
    file: "/sql-adapter/src/clicks/clickColumns.ts",
    find: "columnNames.map((name) =>\n    arrayOf(",
    replace: `columnNames.map((name) => {
      if (name !== "id") return name
      const seen = ((globalThis as any).seen ??= new Set<string>())
      const isRetry = batch.some((event) => seen.has(event.id))
      for (const event of batch) seen.add(event.id)
      if (isRetry) batch = batch.map((event) => ({ ...event, id: crypto.randomUUID() }))
      return name
    }).map((name) =>
    arrayOf(`
  },
  "no on conflict": {
    file: "/sql-adapter/src/clicks/ClickInsert.ts",
    find: "on conflict (id) do nothing",
    replace: ""
  },
  "deletes from the spool before the commit": {
    file: "/sql-adapter/src/clicks/spool/SpoolReader.ts",
    find: "yield { clicks, segment: segment.name, isLast }",
    replace: "await this.#folder.remove(segment.name); yield { clicks, segment: segment.name, isLast }"
  },
  "commits without waiting for the log": {
    file: "/sql-adapter/src/Database.ts",
    find: 'synchronous_commit: "on"',
    replace: 'synchronous_commit: "off"'
  },
  "spool without fsync": {
    file: "/sql-adapter/src/clicks/spool/SpoolWriter.ts",
    find: "await handle.datasync()",
    replace: ""
  },
  "spool without fsync of its folder": {
    file: "/sql-adapter/src/clicks/spool/SpoolFolder.ts",
    find: "folder.sync()",
    replace: "Promise.resolve()"
  },
  "answers spooled when the write failed": {
    file: storeBatch,
    find: "Effect.catch((failure) => drop(batch,",
    replace:
      'Effect.catch((failure) => batch.length > 0 ? Effect.succeed(batch.map((): ReceiptOutcome => "spooled")) : drop(batch,'
  },
  "answers stored when the store is unavailable": {
    file: storeBatch,
    find: "Effect.andThen(destination.outage.began, fallBack(batch, destination, error))",
    replace: 'Effect.succeed(batch.map((): ReceiptOutcome => "stored"))'
  },
  "drops the other clicks of a batch with a rejected one": {
    file: "/core/src/clicks/recording/insertHalving.ts",
    find: "batch.length > 1 ? halves(batch) : refuse(batch, error)",
    replace: "refuse(batch, error)"
  },
  "records twice": {
    file: "/http/src/clicks/recording/recordOne.ts",
    find: "recorder.offer({ body, origin: from, original: () => original, id, receivedAt }, (result) =>",
    replace: `recorder.offer({ body, origin: from, original: () => original, id, receivedAt }, () => {})
      recorder.offer({ body, origin: from, original: () => original, id, receivedAt }, (result) =>`
  },
  "takes the first piece for the whole": {
    file: "/http/src/requests/bodyPieces.ts",
    find: "length = end",
    replace: "length ||= end"
  },
  "does not wait for the rest of a body": {
    file: "/http/src/clicks/recording/plain/plainRequest.ts",
    find: " || bodyAt + length !== bytes.length",
    replace: ""
  },
  "stores another city": {
    file: "/sql-adapter/src/clicks/clickColumns.ts",
    find: "batch.map((event) => event[name])",
    replace: 'batch.map((event) => event[name === "visitor_city" ? "visitor_state" : name])'
  }
} as const satisfies Readonly<Record<string, Sabotage>>

export type SabotageName = keyof typeof sabotages
