-- Which records of a repository are missing from a later archive of it?
-- :repo = null, only this repository: owner/name
WITH records (full_name, kind, url, archive, title) AS (
  SELECT full_name, 'milestone', url, _archive, title FROM milestones
  UNION ALL SELECT full_name, 'protected_branch', url, _archive, name FROM protected_branches
  UNION ALL SELECT full_name, 'issue', url, _archive, title FROM issues
  UNION ALL SELECT full_name, 'pull_request', url, _archive, title FROM pull_requests
  UNION ALL SELECT full_name, 'issue_comment', url, _archive, body FROM issue_comments
  UNION ALL SELECT full_name, 'issue_event', url, _archive, event FROM issue_events
  UNION ALL SELECT full_name, 'pull_request_review', url, _archive, body
    FROM pull_request_reviews
  UNION ALL SELECT full_name, 'pull_request_review_comment', url, _archive, body
    FROM pull_request_review_comments
  UNION ALL SELECT full_name, 'commit_comment', url, _archive, body FROM commit_comments
  UNION ALL SELECT full_name, 'release', url, _archive, name FROM releases
  UNION ALL SELECT full_name, 'discussion', url, _archive, title FROM discussions
),
-- An archive of Git data alone has the repository, but none of its other records.
covered AS (
  SELECT full_name, archive FROM records
  UNION
  SELECT full_name, _archive
  FROM repositories
  WHERE _archive IN (SELECT archive FROM record_files WHERE kind NOT IN ('organizations', 'repositories'))
)
SELECT
  r.full_name,
  r.kind,
  r.url,
  a.name AS last_archive,
  substr(r.title, 1, 80) AS title
FROM records AS r
JOIN archives AS a ON a.id = r.archive
-- Most databases have one archive, of which no record can be missing: nothing is read.
WHERE (SELECT count(*) FROM archives) > 1
  AND (:repo IS NULL OR r.full_name = :repo)
  AND EXISTS (
    SELECT 1
    FROM covered AS c
    JOIN archives AS later ON later.id = c.archive
    WHERE c.full_name = r.full_name
      AND CASE
        -- Later by both orders: a record that both have is of the one loaded last.
        WHEN c.archive > r.archive
          THEN later.exported_at > a.exported_at OR later.exported_at IS NULL OR a.exported_at IS NULL
        -- Or loaded before, and the newest wins: it has kept the repository, which both have.
        ELSE later.exported_at > a.exported_at
          AND c.archive IN (SELECT _archive FROM repositories WHERE full_name = c.full_name)
      END
  )
ORDER BY r.full_name, a.id, r.kind, r.url;
