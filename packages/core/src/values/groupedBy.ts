/** Groups values by a key, in the order of the first value of each group. Replaces `Map.groupBy`, which Node 20 lacks. */
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
