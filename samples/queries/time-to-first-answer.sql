-- How many hours until somebody else, no bot, answers an issue? By repository and quarter.
-- :repo = null, only this repository: owner/name
WITH first_answers AS (
  SELECT thread, min(created_at) AS answered_at
  FROM timeline
  WHERE kind = 'comment'
    AND user NOT IN (SELECT url FROM bots)
    AND user IS NOT (SELECT i.user FROM issues AS i WHERE i.url = thread)
  GROUP BY thread
)
SELECT
  i.full_name,
  substr(i.created_at, 1, 4) || ' Q' || ((substr(i.created_at, 6, 2) + 2) / 3) AS quarter,
  count(*) AS issues,
  count(a.answered_at) AS answered,
  round(avg(julianday(a.answered_at) - julianday(i.created_at)) * 24, 1) AS hours_on_average,
  round(max(julianday(a.answered_at) - julianday(i.created_at)) * 24, 1) AS hours_at_most
FROM issues AS i
LEFT JOIN first_answers AS a ON a.thread = i.url
WHERE :repo IS NULL OR i.full_name = :repo
GROUP BY i.full_name, quarter
ORDER BY i.full_name, quarter;
