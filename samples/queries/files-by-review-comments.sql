-- Which files had the most review comments, and how often did they change?
-- :repo repository = null, only this repository: owner/name
-- :limit number = 50, maximum number of rows
-- needs commits_files: marc repo index <database> --files
WITH discussed AS (
  SELECT full_name, path, count(*) AS comments, count(DISTINCT pull_request) AS pull_requests
  FROM pull_request_review_comments
  WHERE state_name IS NOT 'pending'
    AND (:repo IS NULL OR full_name = :repo)
  GROUP BY full_name, path
),
-- What a merge brings was changed by the commits of its branch.
changed AS (
  SELECT f.repository, f.path, count(*) AS commits, sum(f.inserted + f.deleted) AS lines
  FROM commits_files AS f
  JOIN commits AS c ON c.oid = f.oid AND c.repository = f.repository
  WHERE json_array_length(c.parents) < 2
  GROUP BY f.repository, f.path
)
SELECT d.full_name, d.path, d.comments, d.pull_requests, coalesce(c.commits, 0) AS commits, c.lines
FROM discussed AS d
LEFT JOIN changed AS c ON c.repository = d.full_name AND c.path = d.path
ORDER BY d.comments DESC, d.full_name, d.path
LIMIT +:limit;
