-- How many issues were opened, closed and open at the end of each month?
-- :repo repository = null, only this repository: owner/name
WITH RECURSIVE dates AS (
  SELECT created_at AS at, 1 AS opened, 0 AS closed
  FROM threads
  WHERE kind = 'issue' AND (:repo IS NULL OR full_name = :repo)
  UNION ALL
  SELECT closed_at, 0, 1
  FROM threads
  WHERE kind = 'issue' AND (:repo IS NULL OR full_name = :repo)
),
changes AS (
  SELECT substr(at, 1, 7) AS month, sum(opened) AS opened, sum(closed) AS closed
  FROM dates
  WHERE date(substr(at, 1, 7) || '-01') IS NOT NULL
  GROUP BY 1
),
-- Those without any change, too.
months AS (
  SELECT min(month) AS month FROM changes
  UNION ALL
  SELECT substr(date(month || '-01', '+1 month'), 1, 7)
  FROM months
  WHERE month < (SELECT max(month) FROM changes)
)
SELECT
  m.month,
  coalesce(c.opened, 0) AS opened,
  coalesce(c.closed, 0) AS closed,
  sum(coalesce(c.opened - c.closed, 0)) OVER (ORDER BY m.month) AS open
FROM months AS m
LEFT JOIN changes AS c ON c.month = m.month
WHERE m.month IS NOT NULL
ORDER BY m.month;
