-- What happened in one issue or pull request, in order?
-- :full_name, the repository: owner/name
-- :number, the number of the issue or pull request
SELECT created_at, user_login, coalesce(event, kind) AS what, body
FROM timeline
WHERE thread IN (SELECT url FROM threads WHERE number = :number AND full_name = :full_name)
ORDER BY created_at, kind = 'event';
