-- How many issues, pull requests, comments, reviews and merges were there each month?
-- :repo repository = null, only this repository: owner/name
WITH chosen AS MATERIALIZED ( -- once, and not for each table of the timeline
  SELECT url, merged_at FROM threads WHERE :repo IS NULL OR full_name = :repo
),
happened AS (
  SELECT created_at AS at, kind, thread, user, by_bot
  FROM timeline
  WHERE kind != 'event'
    AND event IS NOT 'pending'
    AND (:repo IS NULL OR thread IN (SELECT url FROM chosen))
  UNION ALL
  -- Not every merge has an event.
  SELECT merged_at, 'merge', url, NULL, NULL FROM chosen WHERE merged_at IS NOT NULL
)
SELECT
  substr(at, 1, 7) AS month,
  count(*) FILTER (WHERE kind = 'opened' AND thread IN (SELECT url FROM issues)) AS issues,
  count(*) FILTER (WHERE kind = 'opened' AND thread IN (SELECT url FROM pull_requests)) AS pull_requests,
  count(*) FILTER (WHERE kind IN ('comment', 'review_comment')) AS comments,
  count(*) FILTER (WHERE kind = 'review') AS reviews,
  count(*) FILTER (WHERE kind = 'merge') AS merges,
  -- All deleted accounts together are one.
  count(DISTINCT coalesce(user, '')) FILTER (WHERE kind != 'merge' AND NOT by_bot) AS people
FROM happened
WHERE at IS NOT NULL
GROUP BY month
ORDER BY month;
