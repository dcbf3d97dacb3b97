-- Which commits reached a repository without a pull request?
-- :repo repository = null, only this repository: owner/name
-- :limit number = 100, maximum number of rows
-- needs commits: marc repo index <database>
WITH RECURSIVE told (repository, oid) AS (
  SELECT full_name, merge_commit_sha FROM pull_requests WHERE state = 'merged'
  UNION SELECT full_name, head_sha FROM pull_requests
  UNION SELECT full_name, commit_id FROM issue_events WHERE event = 'merged'
),
-- What a merged branch brought along, back to where it began.
bases (repository, oid) AS (SELECT full_name, base_sha FROM pull_requests),
brought (repository, oid) AS (
  SELECT repository, oid FROM told WHERE oid IS NOT NULL
  UNION
  SELECT p.repository, p.parent
  FROM brought AS b
  JOIN commits_parents AS p ON p.oid = b.oid AND p.repository = b.repository
  WHERE NOT (p.position = 0 AND EXISTS (
    SELECT 1 FROM commits_parents AS o
    WHERE o.oid = b.oid AND o.repository = b.repository AND o.position = 1
  ))
    AND (p.repository, p.parent) NOT IN (SELECT repository, oid FROM bases
      WHERE repository IS NOT NULL AND oid IS NOT NULL)
)
SELECT c.repository, substr(c.oid, 1, 10) AS oid, c.authored_at, c.author_name, c.subject
FROM commits AS c
LEFT JOIN brought AS b ON b.oid = c.oid AND b.repository = c.repository
WHERE b.oid IS NULL
  AND c.repository NOT LIKE '%.wiki'
  AND (:repo IS NULL OR c.repository = :repo)
ORDER BY c.committed_at DESC, c.oid
LIMIT +:limit;
