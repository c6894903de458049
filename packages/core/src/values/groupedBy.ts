/** Values by a key, in order of their first; `Map.groupBy` for Node 20. */
export const groupedBy = <Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key
): Map<Key, Array<Value>> => {
  const groups = new Map<Key, Array<Value>>()
  for (const value of values) {
    const key = keyOf(value)
    const members = groups.get(key)
    if (members === undefined) groups.set(key, [value])
    else members.push(value)
  }
  return groups
}
