-- How many hours until someone other than the author or a bot reviews a pull request, by repository and year?
-- :repo repository = null, only this repository: owner/name
WITH first_reviews AS (
  SELECT thread, min(julianday(created_at)) AS day
  FROM answers
  WHERE kind IN ('review', 'review_comment')
  GROUP BY thread
)
SELECT
  p.full_name,
  substr(p.created_at, 1, 4) AS year,
  count(*) AS pull_requests,
  count(f.day) AS reviewed,
  round(avg(f.day - julianday(p.created_at)) * 24, 1) AS hours_on_average,
  round(max(f.day - julianday(p.created_at)) * 24, 1) AS hours_at_most
FROM threads AS p
LEFT JOIN first_reviews AS f ON f.thread = p.url
WHERE p.kind = 'pull_request' AND (:repo IS NULL OR p.full_name = :repo)
GROUP BY p.full_name, year
ORDER BY p.full_name, year;
