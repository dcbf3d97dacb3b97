-- How often is each label in use, and on how much that is still open? Unused labels are at the end.
-- :repo = null, only this repository: owner/name
WITH uses AS (
  SELECT t.url, t.state, label.value AS label
  FROM threads AS t, json_each(t.labels) AS label
)
SELECT
  l.full_name,
  l.name AS label,
  count(u.url) AS uses,
  coalesce(sum(u.state = 'open'), 0) AS open,
  l.description
FROM labels AS l
LEFT JOIN uses AS u ON u.label = l.url
WHERE :repo IS NULL OR l.full_name = :repo
GROUP BY l.url
ORDER BY uses DESC, l.full_name, label;
