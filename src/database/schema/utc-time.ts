/** `YYYY-MM-DDTHH:MM:SSZ`, as the host writes nearly every date. */
const CANONICAL = "'????-??-??T??:??:??Z'"
// SQLite reads much else as a date, such as now, 12:00 and 5.
const DATE_AND_TIME = `'${'[0-9]'.repeat(4)}-[0-9][0-9]-[0-9][0-9]T*'`

/**
 * In SQL, a time in UTC and to the second, whatever its offset, so that times compare as texts. A value that is not a
 * time stays as it is.
 */
export const utcTime = (time: string): string => `CASE
    WHEN ${time} GLOB ${CANONICAL} OR ${time} NOT GLOB ${DATE_AND_TIME} THEN ${time}
    ELSE coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', ${time}), ${time})
  END`
