/** Instants at which clocks changed, by zone. Errors in bucketing show up here first. */
export const clockChanges: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Europe/Berlin": ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"],
  "America/New_York": ["2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"],
  // By half an hour.
  "Australia/Lord_Howe": ["2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z"],
  // By two hours.
  "Antarctica/Troll": ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"],
  // From 0:00 to 1:00, and from 0:00 to 23:00 of the day before.
  "America/Sao_Paulo": ["2018-11-04T03:00:00Z", "2018-02-18T02:00:00Z"],
  "Asia/Beirut": ["2022-03-26T22:00:00Z", "2022-10-29T21:00:00Z"],
  // From 1:00 to 0:00, so that midnight comes twice; the first one also begins the month.
  "America/Havana": ["2026-11-01T05:00:00Z", "2026-03-08T05:00:00Z"],
  "Atlantic/Azores": ["2026-10-25T01:00:00Z", "2026-03-29T01:00:00Z"],
  // From 0:01 to 23:01 of the previous day: the day begins, is interrupted and begins again.
  "America/St_Johns": ["2010-11-07T02:31:00Z"],
  // A day that did not exist: 30 December 2011.
  "Pacific/Apia": ["2011-12-30T10:00:00Z"],
  // There, summer time is the standard time, and winter time is the change.
  "Europe/Dublin": ["2025-03-30T01:00:00Z", "2025-10-26T01:00:00Z"],
  "Asia/Kathmandu": ["2026-01-01T00:00:00Z"],
  UTC: ["2026-01-01T00:00:00Z"]
}
