-- Which open pull requests had no activity by people in the last days of the archive?
-- :days number = 60, number of days without activity
-- :repo repository = null, only this repository: owner/name
WITH newest AS (
  SELECT max(day) AS day
  FROM (
    SELECT max(julianday(created_at)) AS day FROM timeline
    UNION ALL SELECT max(julianday(closed_at)) FROM threads
    UNION ALL SELECT max(julianday(merged_at)) FROM threads
  )
),
touched AS (
  SELECT thread, max(julianday(created_at)) AS day
  FROM timeline
  WHERE kind = 'opened'
    OR (NOT by_bot AND event IS NOT 'pending'
      AND coalesce(event, '') NOT IN ('mentioned', 'subscribed', 'unsubscribed'))
  GROUP BY thread
)
SELECT
  p.full_name,
  p.number,
  coalesce((SELECT user_login FROM threads WHERE url = p.url), '(deleted)') AS user_login,
  CAST(newest.day - t.day AS INTEGER) AS days_untouched,
  CASE p.work_in_progress WHEN 1 THEN 'draft' ELSE 'ready' END AS readiness,
  (
    SELECT group_concat(login, ', ')
    FROM (
      SELECT coalesce((SELECT min(login) FROM people WHERE url = r.user), r.user) AS login
      FROM requested_reviewers AS r
      WHERE r.pull_request = p.url
      -- Archives do not say for which team a review is.
      UNION SELECT coalesce((SELECT min(slug) FROM teams WHERE url = t.reviewer), t.reviewer)
      FROM pull_requests_review_requests AS t
      WHERE t.pull_request = p.url AND t.reviewer_type IS NOT 'User' AND t.dismissed_at IS NULL
      ORDER BY login
    )
  ) AS waits_for,
  p.title
FROM pull_requests AS p
JOIN touched AS t ON t.thread = p.url, newest
WHERE p.state = 'open'
  AND newest.day - t.day > +:days
  AND (:repo IS NULL OR p.full_name = :repo)
ORDER BY days_untouched DESC, p.full_name, p.number;
