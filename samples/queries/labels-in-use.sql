-- How many issues and pull requests have each label, and how many of them are open?
-- :repo repository = null, only this repository: owner/name
SELECT
  l.full_name,
  l.name AS label,
  -- Archives do not tell which discussions are open.
  coalesce(sum(f.threads), 0) + coalesce(sum(d.discussions), 0) AS uses,
  coalesce(sum(f.open_threads), 0) AS open,
  max(l.description) AS description
FROM labels AS l
LEFT JOIN label_facts AS f ON f.url = l.url
LEFT JOIN (
  SELECT label, count(DISTINCT discussion) AS discussions FROM discussions_labels GROUP BY label
) AS d ON d.label = l.url
WHERE :repo IS NULL OR l.full_name = :repo
GROUP BY l.repository, l.full_name, l.name
ORDER BY uses DESC, l.full_name, label;
