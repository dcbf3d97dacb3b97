-- Which open issues have no answer from anyone but their author and bots?
-- :repo repository = null, only this repository: owner/name
SELECT
  i.full_name,
  i.number,
  substr(i.created_at, 1, 10) AS opened,
  coalesce(i.user_login, '(deleted)') AS user_login,
  i.title
FROM threads AS i
WHERE i.kind = 'issue'
  AND i.state = 'open'
  AND (:repo IS NULL OR i.full_name = :repo)
  AND NOT EXISTS (SELECT 1 FROM answers AS a WHERE a.thread = i.url)
ORDER BY i.created_at, i.full_name, i.number;
