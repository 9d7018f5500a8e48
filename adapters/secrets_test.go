package adapters

import (
	"strings"
	"testing"
)

// hunter is the secret in these tests. None of its parts is a word.
const hunter = "Xq7Vz2Kp9Rt4Wm6Y"

func TestMask(t *testing.T) {
	tests := []struct{ in, want string }{
		// Assignments.
		{"AWS_SECRET_ACCESS_KEY=$S aws s3 ls", "AWS_SECRET_ACCESS_KEY=*** aws s3 ls"},
		{"export PGPASSWORD=$S; psql -h db", "export PGPASSWORD=***; psql -h db"},
		{"export PGPASSWORD=$S;psql -h db", "export PGPASSWORD=*** -h db"},
		{"TOKEN='$S and more' run", "TOKEN='***' run"},
		{`TOKEN="$S \" and more" run`, `TOKEN="***" run`},
		{`TOKEN=$'$S\n' run`, `TOKEN=$'***' run`},
		{`TOKEN=a"$S b"c run`, `TOKEN=*** run`},
		{`TOKEN=a\ $S run`, `TOKEN=*** run`},
		{"TOKEN=$(pass show $S) run", "TOKEN=*** run"},
		{"TOKEN=`echo $S` run", "TOKEN=`***` run"},
		{"DB_PASS=p,$S&word run", "DB_PASS=*** run"},
		{"db_pwd=$S MYSQL_PWD=$S", "db_pwd=*** MYSQL_PWD=***"},
		{"STRIPE_KEY=$S", "STRIPE_KEY=***"},
		{"auth=$S _auth=$S", "auth=*** _auth=***"},
		{"SSHPASS=$S sshpass -e ssh x", "SSHPASS=*** sshpass -e ssh x"},
		{"PASSWORD2=$S", "PASSWORD2=***"},
		{"password = $S", "password = ***"},
		{"token := $S", "token := ***"},
		{"secret += '$S'", "secret += '***'"},
		{"if password == '$S' {", "if password == '***' {"},
		{`docker run -e "DB_PASSWORD=$S and more" db`, `docker run -e "DB_PASSWORD=***" db`},
		{`bash -c "export TOKEN=$S; make" && ls`, `bash -c "export TOKEN=***; make" && ls`},
		{`bash -c "TOKEN=$S" && ls`, `bash -c "TOKEN=***" && ls`},
		{"connect(user=bob,password=$S)", "connect(user=bob,password=***)"},
		{"{password:$S,user:bob}", "{password:***,user:bob}"},
		{"Server=x;Pwd=$S;Database=y", "Server=x;Pwd=***;Database=y"},
		{"$env:API_TOKEN = '$S'", "$env:API_TOKEN = '***'"},
		{"cfg['password'] = '$S'", "cfg['password'] = '***'"},
		{"-Dspring.datasource.password=$S x", "-Dspring.datasource.password=*** x"},
		{"--from-literal=password=$S x", "--from-literal=password=*** x"},
		{"set -x GITHUB_TOKEN $S", "set -x GITHUB_TOKEN ***"},
		{"aws configure set aws_secret_access_key $S", "aws configure set aws_secret_access_key ***"},

		// JSON, YAML and their like.
		{`{"password": "$S", "user": "bob"}`, `{"password": "***", "user": "bob"}`},
		{`{"apiKey":"$S"}`, `{"apiKey":"***"}`},
		{`{"auth": {"dbPassword": "a $S", "n": 1}}`, `{"auth": {"dbPassword": "***", "n": 1}}`},
		{`-d "{\"password\": \"$S x\", \"n\": 1}"`, `-d "{\"password\": \"***\", \"n\": 1}"`},
		{`"tokens": ["$S", "$S"], "n": 1`, `"tokens": [***], "n": 1`},
		{"password: $S user: bob", "password: *** user: bob"},
		{"client_secret: '$S x'", "client_secret: '***'"},
		{"'password' => '$S',", "'password' => '***',"},
		{"<password>a $S b</password>", "<password>***</password>"},
		{`password "$S x"`, `password "***"`},
		{"ALTER USER x PASSWORD '$S'", "ALTER USER x PASSWORD '***'"},
		{"my password is $S ok", "my password is *** ok"},
		{"password is: $S", "password is: ***"},
		{"password: --token $S", "password: *** ***"},
		{"token: Bearer $S", "token: *** ***"},
		{"password: token: $S", "password: *** ***"},
		{"password: TOKEN='a b $S", "password: ***"},
		{"password -> $S, token → $S", "password -> ***, token → ***"},
		{"the API key: $S", "the API key: ***"},
		{"machine x login bob password $S", "machine x login bob password ***"},
		{"ENV TOKEN $S", "ENV TOKEN ***"},
		{"token: {$S}", "token: ***}"},
		{`{"name": "DB_PASSWORD", "value": "$S"}`, `{"name": "DB_PASSWORD", "value": "***"}`},
		{"- name: DB_PASSWORD\n  value: $S", "- name: DB_PASSWORD\n  value: ***"},
		{"CREATE USER x IDENTIFIED BY '$S'", "CREATE USER x IDENTIFIED BY '***'"},
		{"password：$S PASSWORD＝$S", "password：*** PASSWORD＝***"},

		// Flags.
		{"deploy --token $S --stage prod", "deploy --token *** --stage prod"},
		{"deploy --token=$S --stage prod", "deploy --token=*** --stage prod"},
		{"deploy --password '$S x' y", "deploy --password '***' y"},
		{"deploy --api-key $S", "deploy --api-key ***"},
		{"deploy --apiKey $S", "deploy --apiKey ***"},
		{"deploy -password $S", "deploy -password ***"},
		{"deploy --password -$S", "deploy --password ***"},
		{`["deploy", "--token", "$S"]`, `["deploy", "--token", "***"]`},
		{`deploy "--token=a $S" x`, `deploy "--token=***" x`},
		{`deploy --token \ $S x`, `deploy --token *** x`},
		{"curl -u bob:$S https://x", "curl -u bob:*** https://x"},
		{"curl -u 'bob:a $S' https://x", "curl -u 'bob:***' https://x"},
		{"curl -ubob:$S https://x", "curl -ubob:*** https://x"},
		{"curl -sSu bob:$S https://x", "curl -sSu bob:*** https://x"},
		{"curl --user bob:$S https://x", "curl --user bob:*** https://x"},
		{"curl --user=bob:$S https://x", "curl --user=bob:*** https://x"},
		{"curl -u bob:123456 https://x", "curl -u bob:*** https://x"},
		{"curl --cookie 'sid=$S; b=c' x", "curl --cookie '***' x"},
		{"curl -b sid=$S x", "curl -b *** x"},
		{"mysql -u root -p$S db", "mysql -u root -p*** db"},
		{"mysql -p'$S x' db", "mysql -p'***' db"},
		{"mysql -p$S://x db", "mysql -p*** db"},
		{"mysqldump -p$S!x db | gzip", "mysqldump -p*** db | gzip"},
		{"sshpass -p $S ssh -p 2222 x", "sshpass -p *** ssh -p *** x"},
		{"docker login -u bob -p $S reg.io", "docker login -u bob -p *** reg.io"},
		{"redis-cli -a $S ping", "redis-cli -a *** ping"},
		{"7z a -p$S x.7z", "7z a -p*** x.7z"},
		{"vault login $S", "vault login ***"},
		{"vault login -no-print $S", "vault login -no-print ***"},
		{"keytool -list -storepass $S -keypass $S", "keytool -list -storepass *** -keypass ***"},
		{"npm publish --otp $S", "npm publish --otp ***"},
		{"npm publish --otp=123456", "npm publish --otp=***"},
		{"twine upload -u __token__ -p $S dist/*", "twine upload -u __token__ -p *** dist/*"},
		{"htpasswd -b /etc/users bob $S", "htpasswd -b /etc/users bob ***"},
		{"smbclient -U bob%$S:x //x/y", "smbclient -U bob%*** //x/y"},
		{"htpasswd -nbB bob $S | tee x", "htpasswd -nbB bob *** | tee x"},
		{`htpasswd -bnBC 10 "" '$S x' > y`, `htpasswd -bnBC 10 "" '***' > y`},
		{"http -a bob:$S https://x", "http -a bob:*** https://x"},
		{"https -a 'bob:$S x' x", "https -a 'bob:***' x"},
		{"smbclient -U bob%$S //x/y", "smbclient -U bob%*** //x/y"},
		{"smbclient -Ubob%$S //x/y", "smbclient -Ubob%*** //x/y"},
		{"echo $S | sudo -S ls", "echo *** | sudo -S ls"},
		{`echo "$S x" | docker login -u bob --password-stdin`, `echo "***" | docker login -u bob --password-stdin`},
		{"printf '%s' $S | gh auth login --with-token", "printf '%s' *** | gh auth login --with-token"},
		{"docker login --password-stdin <<< $S", "docker login --password-stdin <<< ***"},

		// What one command only takes so.
		{"useradd -m -p $S bob", "useradd -m -p *** bob"},
		{"usermod -p $S bob", "usermod -p *** bob"},
		{"mysqlpump -p$S db", "mysqlpump -p*** db"},
		{"mysqlslap -p'$S x' db", "mysqlslap -p'***' db"},
		{"ldapadd -D cn=a -w $S -f x", "ldapadd -D cn=a -w *** -f x"},
		{"ldapmodify -x -w $S", "ldapmodify -x -w ***"},
		{"cqlsh -u a -p $S", "cqlsh -u a -p ***"},
		{"bcp db in f -U a -P $S", "bcp db in f -U a -P ***"},
		{"poetry publish -u a -p $S", "poetry publish -u a -p ***"},
		{"dotnet nuget push x.nupkg -k $S -s y", "dotnet nuget push x.nupkg -k *** -s y"},
		{`dotnet user-secrets set "Db:Pin" "$S x" --project y`, `dotnet user-secrets set "Db:Pin" "***" --project y`},
		{"dotnet user-secrets set --id y Pin $S", "dotnet user-secrets set --id y ***"},
		{"sqlplus scott/$S@db", "sqlplus scott/***@db"},
		{"sqlplus -s 'scott/a@$S@//h:1521/x' @run.sql", "sqlplus -s 'scott/***@//h:1521/x' @run.sql"},
		{"sqlplus scott/$S", "sqlplus scott/***"},
		{"impacket-psexec dom/a:$S@h whoami", "impacket-psexec dom/a:***@h whoami"},
		{"impacket-smbclient -dc-ip 10.0.0.1 'a:$S x@h'", "impacket-smbclient -dc-ip 10.0.0.1 'a:***@h'"},
		{"lftp -u user,$S h", "lftp -u user,*** h"},
		{"xfreerdp /u:bob /p:$S /v:h", "xfreerdp /u:bob /p:*** /v:h"},
		{"ipmitool -U a -P $S power on", "ipmitool -U a -P *** power on"},
		{"mosquitto_pub -t a/b -u c -P $S -m d", "mosquitto_pub -t a/b -u c -P *** -m d"},
		{"mosquitto_sub -P $S", "mosquitto_sub -P ***"},
		{"ssh-keygen -p -P $S -N '$S x' -f k", "ssh-keygen -p -P *** -N '***' -f k"},
		{"openssl enc -aes-256-cbc -K $S -iv 0", "openssl enc -aes-256-cbc -K *** -iv 0"},
		{"openssl enc -k $S -in x", "openssl enc -k *** -in x"},
		{"curl --cert c.pem:$S https://x", "curl --cert c.pem:*** https://x"},
		{"curl -b a=$S -E c.pem:$S x", "curl -b *** -E c.pem:*** x"},
		{"security add-generic-password -a bob -s x -w $S", "security add-generic-password -a bob -s x -w ***"},
		{"sudo rabbitmqctl add_user a $S", "sudo rabbitmqctl add_user a ***"},
		{"rabbitmqctl change_password a '$S x' && ls", "rabbitmqctl change_password a '***' && ls"},
		{"gh secret set NAME -b $S -R x/y", "gh secret set NAME -b *** -R x/y"},
		{"gh secret set NAME -b\"$S\" -R x/y", "gh secret set NAME -b\"***\" -R x/y"},
		{"gh secret set NAME --body=$S", "gh secret set NAME --body=***"},
		{"echo $S | gh secret set NAME", "echo *** | gh secret set NAME"},
		{"fly secrets set -a app NAME=$S 'URL=$S x'", "fly secrets set -a app NAME=*** 'URL=***'"},
		{"kubectl create secret generic a --from-literal=foo=$S --from-literal bar='$S x'", "kubectl create secret generic a --from-literal=foo=*** --from-literal bar=***"},
		{"aws ssm put-parameter --name /x --type SecureString --value $S", "aws ssm put-parameter --name /x --type SecureString --value ***"},
		{"aws ssm put-parameter --value=$S --type SecureString", "aws ssm put-parameter --value=*** --type SecureString"},
		{"az keyvault secret set --vault-name v --name n --value $S", "az keyvault secret set --vault-name v --name n --value ***"},
		{"poetry config pypi-token.pypi $S", "poetry config pypi-token.pypi ***"},
		{"poetry config http-basic.x bob $S", "poetry config http-basic.x ***"},
		{"composer config --global github-oauth.github.com $S && ls", "composer config --global github-oauth.github.com *** && ls"},
		{"cargo login $S", "cargo login ***"},
		{"bw unlock --raw $S", "bw unlock --raw ***"},
		{"echo $S | gpg --batch --passphrase-fd 0 -d x", "echo *** | gpg --batch --passphrase-fd 0 -d x"},
		{"echo $S | su bob -c ls", "echo *** | su bob -c ls"},
		{"echo $S | su", "echo *** | su"},
		{"passwd bob <<< $S", "passwd bob <<< ***"},

		// Headers.
		{`curl -H "Authorization: Bearer $S" https://x`, `curl -H "Authorization: Bearer ***" https://x`},
		{`curl -H 'authorization: Basic $S' https://x`, `curl -H 'authorization: Basic ***' https://x`},
		{`curl -H "Authorization: $S" x`, `curl -H "Authorization: ***" x`},
		{`curl -H "Authorization: Custom a $S" x`, `curl -H "Authorization: ***" x`},
		{"Authorization: token $S Host: x", "Authorization: token *** Host: x"},
		{`Authorization: Digest username="bob", response="$S", x=$S Host: y`, "Authorization: Digest *** Host: y"},
		{`{"Authorization": "Bearer $S", "n": 1}`, `{"Authorization": "Bearer ***", "n": 1}`},
		{`h.set("Authorization", "Bearer $S")`, `h.set("Authorization", "Bearer ***")`},
		{"Proxy-Authorization: Basic $S", "Proxy-Authorization: Basic ***"},
		{"Cookie: sid=$S; theme=$S Host: x", "Cookie: *** Host: x"},
		{`curl -H "Cookie: sid=$S; b=$S" x`, `curl -H "Cookie: ***" x`},
		{"Set-Cookie: sid=$S; Path=/; Secure", "Set-Cookie: ***"},
		{"-H 'X-Api-Key: $S' x", "-H 'X-Api-Key: ***' x"},
		{"X-Auth-Token: $S x", "X-Auth-Token: *** x"},
		{"Ocp-Apim-Subscription-Key: $S x", "Ocp-Apim-Subscription-Key: *** x"},
		{"PRIVATE-TOKEN: $S x", "PRIVATE-TOKEN: *** x"},
		{"use Bearer $S here", "use Bearer *** here"},

		// URLs.
		{"git clone https://bob:$S@github.com/x/y", "git clone https://bob:***@github.com/x/y"},
		{"https://$S@github.com/x/y", "https://***@github.com/x/y"},
		{"postgres://bob:a@$S@db:5432/x", "postgres://bob:***@db:5432/x"},
		{"postgres://bob:a/$S@db:5432/x", "postgres://bob:***@db:5432/x"},
		{"redis://:$S@cache:6379", "redis://:***@cache:6379"},
		{"https://x/y?access_token=$S&n=1", "https://x/y?access_token=***&n=1"},
		{"https://x/y#id_token=$S", "https://x/y#id_token=***"},
		{"https://bob:$S", "https://bob:***"},
		{`https:\/\/bob:$S@x`, `https:\/\/bob:***@x`},
		{"https://hooks.slack.com/services/T024BE7LD/B024BE7LE/$S x", "https://hooks.slack.com/services/*** x"},
		{"'https://hooks.slack.com/workflows/T1/A1/$S'", "'https://hooks.slack.com/workflows/T1/A1/***'"},
		{"https://discord.com/api/webhooks/123456789/$S?wait=true", "https://discord.com/api/webhooks/***?wait=true"},
		{`https:\/\/discord.com\/api\/webhooks\/123456789\/$S"`, `https:\/\/discord.com\/api\/webhooks\/***"`},
		{"https://x.webhook.office.com/webhookb2/$S@x/IncomingWebhook/$S/x", "https://x.webhook.office.com/webhookb2/***"},
		{"https://hooks.zapier.com/hooks/catch/123456/$S/", "https://hooks.zapier.com/hooks/catch/***"},
		{"https://api.telegram.org/bot123456789:$S/getMe", "https://api.telegram.org/bot123456789:***/getMe"},
		{"https://x/y?key=$S&n=1", "https://x/y?key=***&n=1"},
		{"https://x/y?a=b&key=$S", "https://x/y?a=b&key=***"},
		{"https://x/y?sv=1&sig=$S&se=2", "https://x/y?sv=1&sig=***&se=2"},
		{"http://localhost:8080/callback?code=$S&state=x", "http://localhost:8080/callback?code=***&state=x"},
		{"?q=token%3D$S", "?q=token%3D***"},

		// Shapes.
		{"echo sk-$S", "echo ***"},
		{"echo sk-ant-api03-$S-x_y end", "echo *** end"},
		{"echo ghp_$S.", "echo ***."},
		{"(gho_$S) ghu_$S ghs_$S ghr_$S", "(***) *** *** ***"},
		{"x=github_pat_11A_$S", "x=***"},
		{"glpat-$S xoxb-1-2-$S xoxp-$S", "*** *** ***"},
		{"AKIAIOSFODNN7EXAMPLE ASIAIOSFODNN7EXAMPLE", "*** ***"},
		{"AIzaSy$S-x npm_$S hf_$S", "*** *** ***"},
		{"eyJhbGciOiJI.eyJzdWIi.$S-_x end", "*** end"},
		{`printf 'a\nghp_$S'`, `printf 'a\n***'`},
		{"a%3Dghp_$S", "a%3D***"},
		{"-----BEGIN RSA PRIVATE KEY----- $S $S", "-----BEGIN RSA PRIVATE KEY-----***"},
		{"-----BEGIN PRIVATE KEY-----\n$S\n-----END PRIVATE KEY-----\nok", "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----\nok"},
		{`printf 'x\n-----BEGIN PRIVATE KEY-----\n$S\n-----END PRIVATE KEY-----\nok'`, `printf 'x\n-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----\nok'`},
		{"-----BEGIN PGP PRIVATE KEY BLOCK----- $S", "-----BEGIN PGP PRIVATE KEY BLOCK-----***"},

		{"$S/$S+aB=\n$S==\n-----END RSA PRIVATE KEY-----\nok", "***-----END RSA PRIVATE KEY-----\nok"},
		{"see: $S/$S+aB= $S -----END PRIVATE KEY-----", "see: ***-----END PRIVATE KEY-----"},
		{`"k\n$S\n$S\n-----END OPENSSH PRIVATE KEY-----"`, `***-----END OPENSSH PRIVATE KEY-----"`},
		{"> $S\n> $S\n> -----END PGP PRIVATE KEY BLOCK-----", "***-----END PGP PRIVATE KEY BLOCK-----"},

		// Over the end of a line.
		{"password:\n$S\nok", "password:\n***\nok"},
		{"password:\n- $S", "password:\n- ***"},
		{"password: |-\n$S", "password: |-\n***"},
		{"password:\n$S: ok", "password:\n*** ok"},
		{"the API\nkey is:\n$S", "the API\nkey is:\n***"},
		{"my password is\n$S\nok", "my password is\n***\nok"},
		{"token:\n```sh\n$S\n```\nok", "token:\n```***```\nok"},
		{`token = """$S""" x`, `token = """***""" x`},
		{"Authorization: Bearer\n$S\nok", "Authorization: Bearer\n***\nok"},
		{"Authorization:\nBasic $S", "Authorization:\nBasic ***"},
		{"use Bearer\n$S\nhere", "use Bearer\n***\nhere"},
		{"deploy --token\\\n$S --stage prod", "deploy --token\\\n*** --stage prod"},
		{"deploy --token \\\n$S --stage prod", "deploy --token *** --stage prod"},
		{"\"--token\",\n\"$S\",\n\"x\"", "\"--token\",\n\"***\",\n\"x\""},
		{"docker login \\\n-u bob \\\n-p \\\n$S reg.io", "docker login \\\n-u bob \\\n-p *** reg.io"},
		{"CREATE USER x IDENTIFIED\nBY\n'$S'", "CREATE USER x IDENTIFIED\nBY\n'***'"},
		{"Cookie: sid=$S;\ntheme=$S\nHost: x", "Cookie: ***\nHost: x"},

		// Cut inside the secret.
		{"TOKEN='$S", "TOKEN='***"},
		{`{"password":"$S`, `{"password":"***`},
		{`TOKEN=a"$S b`, `TOKEN=***`},
		{"TOKEN=$(echo $S", "TOKEN=***"},
		{`-H "Authorization: Bearer $S`, `-H "Authorization: Bearer ***`},
		{"--token $S", "--token ***"},
		{"echo ghp_Xq7", "echo ***"},
		{"<password>$S x", "<password>***"},

		// No secrets.
		{"docker run -p 8080:80 web", "docker run -p 8080:80 web"},
		{"ssh -p 2222 host", "ssh -p 2222 host"},
		{"mysql -p db", "mysql -p db"},
		{"docker run -u 1000:1000 web", "docker run -u 1000:1000 web"},
		{"sudo -u postgres psql", "sudo -u postgres psql"},
		{"git push -u origin main", "git push -u origin main"},
		{"PWD=/home/bob OLDPWD=/tmp", "PWD=/home/bob OLDPWD=/tmp"},
		{"GIT_AUTHOR_NAME=bob", "GIT_AUTHOR_NAME=bob"},
		{"Error: max_output_tokens: API Error: stopped", "Error: max_output_tokens: API Error: stopped"},
		{"max_tokens=4096 --max-tokens 4096 total tokens: 31k", "max_tokens=4096 --max-tokens 4096 total tokens: 31k"},
		{`"original_token_count":17,"x":1`, `"original_token_count":17,"x":1`},
		{"TOKENIZERS_PARALLELISM=false", "TOKENIZERS_PARALLELISM=false"},
		{"--- PASS: TestMask (0.00s)", "--- PASS: TestMask (0.00s)"},
		{"http://localhost:8080/x http://[::1]:80/", "http://localhost:8080/x http://[::1]:80/"},
		{"http://localhost:$PORT/x http://x:PORT", "http://localhost:$PORT/x http://x:PORT"},
		{"git clone git@github.com:x/y", "git clone git@github.com:x/y"},
		{"ssh://git@github.com/x/y", "ssh://git@github.com/x/y"},
		{"https://packages.example.org/@scope/pkg", "https://packages.example.org/@scope/pkg"},
		{"npm_config_registry=x hf_hub_download hf_transfer", "npm_config_registry=x hf_hub_download hf_transfer"},
		{"pip install sk-learn desk-1234567", "pip install sk-learn desk-1234567"},
		{"task-runner-abc123 risk-42424242", "task-runner-abc123 risk-42424242"},
		{"docker login --password-stdin reg.io", "docker login --password-stdin reg.io"},
		{"fix(auth): keep the session", "fix(auth): keep the session"},
		{"reset the password of bob", "reset the password of bob"},
		{"the password is wrong", "the password is wrong"},
		{"the user is identified by name", "the user is identified by name"},
		{`the idea is to pass "x" to it`, `the idea is to pass "x" to it`},
		{"set to yes, new passwords will be", "set to yes, new passwords will be"},
		{`"Action":"pass","Package":"x"`, `"Action":"pass","Package":"x"`},
		{"Bearer authentication works", "Bearer authentication works"},
		{"Token::new(x)", "Token::new(x)"},
		{"SORT_KEY=name PUBLIC_KEY=abc", "SORT_KEY=name PUBLIC_KEY=abc"},
		{"monkey=1 keyboard: us bypass=1", "monkey=1 keyboard: us bypass=1"},
		{"PASSWORD=", "PASSWORD="},
		{`PASSWORD="" x`, `PASSWORD="" x`},
		{"-----BEGIN PUBLIC KEY----- abc", "-----BEGIN PUBLIC KEY----- abc"},
		{"PASSWORD=\nUSER=bob", "PASSWORD=\nUSER=bob"},
		{"password:\nuser: bob", "password:\nuser: bob"},
		{"abcdefgh\n-----END CERTIFICATE-----", "abcdefgh\n-----END CERTIFICATE-----"},
		{"THE END of PRIVATE KEY files", "THE END of PRIVATE KEY files"},
		{"vault login -method=oidc role=dev", "vault login -method=oidc role=dev"},
		{"the vault login page is broken", "the vault login page is broken"},
		{"htpasswd --help | less", "htpasswd --help | less"},
		{"htpasswd -c users bob", "htpasswd -c users bob"},
		{"read about htpasswd in the docs", "read about htpasswd in the docs"},
		{"http -a digest https://x/y; ls -a x:1", "http -a digest https://x/y; ls -a x:1"},
		{"curl http://x -a b:c", "curl http://x -a b:c"},
		{"smbclient -U bob //x/y", "smbclient -U bob //x/y"},
		{"echo done | sort -S 1G", "echo done | sort -S 1G"},
		{"echo x | sudo tee y", "echo x | sudo tee y"},
		{"echo hi | docker run -i x cat", "echo hi | docker run -i x cat"},
		{"https://docs.example.com/webhooks/events-and-types", "https://docs.example.com/webhooks/events-and-types"},
		{"https://api.github.com/repos/x/y/hooks/123", "https://api.github.com/repos/x/y/hooks/123"},
		{"https://x/botany/bot1/run?key=name&code=404", "https://x/botany/bot1/run?key=name&code=404"},
		{"src/webhooks/handler2_test.go", "src/webhooks/handler2_test.go"},
		{"rebar3 otp 26, OTP=26", "rebar3 otp 26, OTP=26"},
		{"python -m pytest -k test_key -p no:cacheprovider", "python -m pytest -k test_key -p no:cacheprovider"},
		{"grep -n token: src/", "grep -n token: src/"},
		{"grep -rn password= ./cmd/panehook/", "grep -rn password= ./cmd/panehook/"},
		{`git commit -m "auth: rework"`, `git commit -m "auth: rework"`},
		{"auth: mend the login page", "auth: mend the login page"},
		{"ASIA_PACIFIC ASIANS eyJ", "ASIA_PACIFIC ASIANS eyJ"},
		{"mkdir -p dir && cp -P a b && grep -w word x && git log -p", "mkdir -p dir && cp -P a b && grep -w word x && git log -p"},
		{"useradd -m bob && mkdir -p /home/bob", "useradd -m bob && mkdir -p /home/bob"},
		{"useradd -m bob; ssh -p 22 bob@x; docker run -p 8080:80 web", "useradd -m bob; ssh -p 22 bob@x; docker run -p 8080:80 web"},
		{"usermod -aG docker bob", "usermod -aG docker bob"},
		{"mysqlslap -p db", "mysqlslap -p db"},
		{"ldapadd -W -f x.ldif | grep -w dn", "ldapadd -W -f x.ldif | grep -w dn"},
		{"cargo login && cargo publish -p crate1234", "cargo login && cargo publish -p crate1234"},
		{"cargo login --help", "cargo login --help"},
		{"the cargo login page is broken", "the cargo login page is broken"},
		{"poetry run pytest -p no:cacheprovider", "poetry run pytest -p no:cacheprovider"},
		{"dotnet publish -p:PublishSingleFile=true -c Release", "dotnet publish -p:PublishSingleFile=true -c Release"},
		{"cargo publish -p crate1234; dotnet pack -k x", "cargo publish -p crate1234; dotnet pack -k x"},
		{"git push -k abc1234", "git push -k abc1234"},
		{"dotnet user-secrets list && dotnet user-secrets init", "dotnet user-secrets list && dotnet user-secrets init"},
		{"sqlplus / as sysdba", "sqlplus / as sysdba"},
		{"sqlplus /nolog @src/run.sql", "sqlplus /nolog @src/run.sql"},
		{"sqlplus scott@//db:1521/x", "sqlplus scott@//db:1521/x"},
		{"impacket-psexec -k h", "impacket-psexec -k h"},
		{"lftp -u user h", "lftp -u user h"},
		{"xfreerdp /u:bob /v:h /port:22", "xfreerdp /u:bob /v:h /port:22"},
		{"mosquitto_sub -p 1883 -t a/b", "mosquitto_sub -p 1883 -t a/b"},
		{"ipmitool -H h -p 623 power on", "ipmitool -H h -p 623 power on"},
		{`ssh-keygen -t ed25519 -N "" -f key1234`, `ssh-keygen -t ed25519 -N "" -f key1234`},
		{"openssl req -newkey rsa:2048 -keyout key.pem -key x", "openssl req -newkey rsa:2048 -keyout key.pem -key x"},
		{"curl --cert c.pem --cert-type PEM:x --key k.pem https://x", "curl --cert c.pem --cert-type PEM:x --key k.pem https://x"},
		{"security find-generic-password -s x -w", "security find-generic-password -s x -w"},
		{"rabbitmqctl list_users && add_user bob name1234", "rabbitmqctl list_users && add_user bob name1234"},
		{"gh secret list -R x/y; git branch set -b name1234", "gh secret list -R x/y; git branch set -b name1234"},
		{"gh secret set NAME < file1234", "gh secret set NAME < file1234"},
		{"fly secrets list && fly scale set NAME=1234567", "fly secrets list && fly scale set NAME=1234567"},
		{"kubectl create configmap a --from-literal=foo=bar1234", "kubectl create configmap a --from-literal=foo=bar1234"},
		{"aws ssm get-parameter --name x && jq --value abc1234", "aws ssm get-parameter --name x && jq --value abc1234"},
		{"az keyvault key set --value abc1234", "az keyvault key set --value abc1234"},
		{"poetry config virtualenvs.in-project true", "poetry config virtualenvs.in-project true"},
		{"git config credential.helper store", "git config credential.helper store"},
		{"composer config platform.php 8.3.12", "composer config platform.php 8.3.12"},
		{"bw lock && bw unlock --check", "bw lock && bw unlock --check"},
		{"echo abc1234 | gpg --encrypt -r bob", "echo abc1234 | gpg --encrypt -r bob"},
		{"echo abc1234 | summarize", "echo abc1234 | summarize"},
		{"cat /etc/passwd; read_x <<< abc1234", "cat /etc/passwd; read_x <<< abc1234"},
	}
	for _, test := range tests {
		in := strings.ReplaceAll(test.in, "$S", hunter)
		got := Mask(in)
		if got != test.want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", in, got, test.want)
		}
		if leak := leaks(got, hunter); leak != "" {
			t.Errorf("Mask(%q) leaks %q", in, leak)
		}
		if again := Mask(got); again != got {
			t.Errorf("Mask(%q) becomes %q", got, again)
		}
	}
}

// leaks returns a part of six bytes of secret that stands in s.
func leaks(s, secret string) string {
	for i := range len(secret) - 5 {
		if strings.Contains(s, secret[i:i+6]) {
			return secret[i : i+6]
		}
	}
	return ""
}

// TestMaskOfCutText cuts every case of the table at each place.
func TestMaskOfCutText(t *testing.T) {
	for _, in := range leaders {
		in += hunter + hunter
		for end := range len(in) + 1 {
			if leak := leaks(Mask(in[:end]), hunter); leak != "" {
				t.Errorf("Mask(%q) leaks %q", in[:end], leak)
			}
		}
	}
}

// leaders are what a secret may follow.
var leaders = []string{
	"TOKEN=", "export DB_PASSWORD=", "api_key: ", `"secret": "`, "--token ", "--password=", "Authorization: Bearer ",
	`-H "Authorization: Basic `, "Cookie: sid=", "X-Api-Key: ", "curl -u bob:", "mysql -p", "https://bob:", "redis://:",
	"sk-ant-", "ghp_", "github_pat_", "glpat-", "xoxb-", "AIza", "eyJhbGciOiJIUzI1NiJ9.", "-----BEGIN PRIVATE KEY-----\n",
	`TOKEN="a b `, "TOKEN='a b ", `{\"token\": \"`, `["--token", "`, "?access_token=", "<password>",
	"password:\n  ", "Authorization: Bearer \n", "deploy --token \\\n  ", "[\"--token\",\r\n  \"", "password is\n", "secret: |\n  ",
	"https://hooks.slack.com/services/T024BE7LD/B024BE7LE/", "https://discord.com/api/webhooks/123456789/", "https://x/bot123456789:",
	"vault login ", "htpasswd -nb bob ", "smbclient -U bob%", "http -a bob:", "twine upload -p ", "https://x/?key=",
	"useradd -p ", "sqlplus scott/", "impacket-psexec a:", "lftp -u user,", "xfreerdp /p:", "curl --cert c.pem:", "bw unlock ",
	"rabbitmqctl add_user a ", "fly secrets set NAME=", "composer config github-oauth.github.com ", "passwd bob <<< ",
	"kubectl create secret generic a --from-literal=foo=", "aws ssm put-parameter --value ", "gh secret set NAME -b ", "cargo login ",
}

func TestKeyStarts(t *testing.T) {
	for _, shape := range keyShapes {
		if strings.IndexByte(keyStarts, shape.prefix[0]) < 0 {
			t.Errorf("keyStarts lacks %q of %q", shape.prefix[0], shape.prefix)
		}
	}
	for i := range len(keyStarts) {
		used := false
		for _, shape := range keyShapes {
			used = used || shape.prefix[0] == keyStarts[i]
		}
		if !used || strings.IndexByte(keyStarts[i+1:], keyStarts[i]) >= 0 {
			t.Errorf("keyStarts has a needless %q", keyStarts[i])
		}
	}
}

func BenchmarkMask(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"command", "go test ./adapters -run Scanner -bench . -count 3 && git status --short"},
		{"prose", "Please look at why the parser is slow: the profile says that most time goes into one loop."},
		{"secret", "curl -H \"Authorization: Bearer " + hunter + "\" https://api.example.test/v1"},
		{"nested", strings.Repeat("-u $( a://b:c/ bearer x TOKEN=", 136)},
		{"list", strings.Repeat("[1,2,3,4,5,6,7,8,9],", 200)},
		{"commands", strings.Repeat("echo \"htpasswd -b ", 200)},
		{"escaped blanks", strings.Repeat(`a\ file\ name`, 300)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				Mask(bench.text)
			}
		})
	}
}
