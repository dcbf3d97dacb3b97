-- How many issues and pull requests have each label, and how many of them are open?
-- :repo repository = null, only this repository: owner/name
WITH uses AS (
  SELECT l.label, t.url, t.closed_at IS NULL AS is_open
  FROM issues_labels AS l
  JOIN issues AS t ON t.url = l.issue
  UNION
  SELECT l.label, t.url, t.closed_at IS NULL AND t.merged_at IS NULL
  FROM pull_requests_labels AS l
  JOIN pull_requests AS t ON t.url = l.pull_request
  UNION
  -- Archives do not tell which discussions are open.
  SELECT label, discussion, 0 FROM discussions_labels
)
SELECT
  l.full_name,
  l.name AS label,
  count(u.url) AS uses,
  coalesce(sum(u.is_open), 0) AS open,
  l.description
FROM labels AS l
LEFT JOIN uses AS u ON u.label = l.url
WHERE :repo IS NULL OR l.full_name = :repo
GROUP BY l.repository, l.name
ORDER BY uses DESC, l.full_name, label;
