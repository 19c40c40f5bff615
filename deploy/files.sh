#!/bin/sh
# Makes the bucket and the app's user, who may read and write the objects of this bucket and nothing more.
set -eu
mc alias set store http://files:9000 root "$ROOT_SECRET"
mc mb --ignore-existing store/zhujitong
cat > /tmp/policy.json <<'JSON'
{
  "Version": "2012-10-17",
  "Statement": [
    { "Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], "Resource": ["arn:aws:s3:::zhujitong/*"] },
    { "Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": ["arn:aws:s3:::zhujitong"] }
  ]
}
JSON
mc admin policy create store zhujitong /tmp/policy.json
mc admin user add store zhujitong "$SECRET"
mc admin policy attach store zhujitong --user zhujitong || mc admin policy entities store --user zhujitong
