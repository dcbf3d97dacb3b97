-- Which open issues has nobody but their author answered?
-- :repo = null, only this repository: owner/name
SELECT i.full_name, i.number, substr(i.created_at, 1, 10) AS opened, i.user_login, i.title
FROM issues AS i
WHERE i.state = 'open'
  AND (:repo IS NULL OR i.full_name = :repo)
  AND NOT EXISTS (
    SELECT 1
    FROM issue_comments AS c
    WHERE c.issue = i.url AND c.user IS NOT i.user
  )
ORDER BY i.created_at;
