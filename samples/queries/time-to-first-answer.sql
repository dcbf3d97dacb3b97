-- How many hours until someone other than the author or a bot answers an issue, by repository and quarter?
-- :repo repository = null, only this repository: owner/name
WITH first_answers AS (
  SELECT thread, min(julianday(created_at)) AS day
  FROM answers
  WHERE thread IN (SELECT url FROM issues)
  GROUP BY thread
)
SELECT
  i.full_name,
  substr(i.created_at, 1, 4) || ' Q' || ((CAST(substr(i.created_at, 6, 2) AS INTEGER) + 2) / 3) AS quarter,
  count(*) AS issues,
  count(a.day) AS answered,
  round(avg(a.day - julianday(i.created_at)) * 24, 1) AS hours_on_average,
  round(max(a.day - julianday(i.created_at)) * 24, 1) AS hours_at_most
FROM threads AS i
LEFT JOIN first_answers AS a ON a.thread = i.url
WHERE i.kind = 'issue' AND (:repo IS NULL OR i.full_name = :repo)
GROUP BY i.full_name, quarter
ORDER BY i.full_name, quarter;
