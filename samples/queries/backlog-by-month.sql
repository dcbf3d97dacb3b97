-- How many issues were open at the end of each month, after those opened and closed in it?
-- :repo = null, only this repository: owner/name
WITH changes AS (
  SELECT substr(created_at, 1, 7) AS month, 1 AS opened, 0 AS closed
  FROM issues
  WHERE :repo IS NULL OR full_name = :repo
  UNION ALL
  SELECT substr(closed_at, 1, 7), 0, 1
  FROM issues
  WHERE closed_at IS NOT NULL AND (:repo IS NULL OR full_name = :repo)
)
SELECT
  month,
  sum(opened) AS opened,
  sum(closed) AS closed,
  sum(sum(opened) - sum(closed)) OVER (ORDER BY month) AS open
FROM changes
GROUP BY month
ORDER BY month;
