# All targets run on Linux and macOS with Go, make and npm; the SAM targets also need
# Python 3. Each target installs its pinned tools under .tools/.

ENGINE_VERSION      := 1.2.1
STATICCHECK_VERSION := v0.8.2
GOFUMPT_VERSION     := v0.12.0
RIE_VERSION         := v0.0.0-20261030222936-bef5c4ba774d
SAM_VERSION         := 1.170.0
CFN_LINT_VERSION    := 1.58.0
MOTO_VERSION        := 5.2.5
AWS_CLI_VERSION     := 1.46.3

# Settings that are the same for every deployment may be stored in this file, one per
# line, such as `STACK ?= alerts`.
-include .deploy

# The configuration that is packed with the functions, or that `make run` uses.
ifeq ($(origin CONFIG),undefined)
CONFIG := infra/ringonce.yaml
EXAMPLE := yes
endif
# The directory in which `make run` stores its state.
STATE ?= .state
# The address at which `make run` serves incident pages to this machine; empty for none.
PAGES ?=
# The stack that `make deploy` deploys, the stage that it watches, and who is responsible
# and pays for it.
STACK ?= ringonce
STAGE ?= production
OWNER ?= unassigned
COST_CENTER ?= unassigned
# Other parameters of the template, such as 'LogLevel=debug LogRetentionDays=7',
# and other options of `sam deploy` and `sam delete`, such as '--profile alerts'.
PARAMETERS ?=
DEPLOY_ARGS ?=
DELETE_ARGS ?=

# The most that a function's zip may weigh: a bigger one starts slower. When you raise it,
# say why.
SIZE_BUDGET := 6000000

OS       := $(shell uname -s | tr '[:upper:]' '[:lower:]')
CPU      := $(if $(filter x86_64 amd64,$(shell uname -m)),x64,arm64)
TOOLS    := $(CURDIR)/.tools
ENGINE   := $(TOOLS)/node_modules/@dynoxide/$(OS)-$(CPU)/dynoxide
DEBIAN   := $(TOOLS)/debian
CHECK    := $(TOOLS)/staticcheck-$(STATICCHECK_VERSION)/staticcheck
GOFUMPT  := $(TOOLS)/gofumpt-$(GOFUMPT_VERSION)/gofumpt
RIE      := $(TOOLS)/rie-$(RIE_VERSION)/aws-lambda-rie
SAM_VENV := $(TOOLS)/sam-$(SAM_VERSION)-cfn-lint-$(CFN_LINT_VERSION)
# An environment of its own: the AWS CLI and the SAM CLI need different SDKs.
MOCK_AWS := $(TOOLS)/moto-$(MOTO_VERSION)-aws-cli-$(AWS_CLI_VERSION)

FUNCTIONS := $(notdir $(patsubst %/,%,$(wildcard functions/*/)))
LOCAL     := build/local

# The same code runs in AWS and here; the tag leaves out the protocol of the old go1.x
# runtime. -trimpath, -buildvcs and -buildid make two builds of one commit identical,
# which matters only in AWS.
GO_LOCAL  := CGO_ENABLED=0 go build -tags lambda.norpc -ldflags '-s -w'
GO_LAMBDA := GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go build -tags lambda.norpc -trimpath -buildvcs=false -ldflags '-s -w -buildid='

# $(call build_lambda,FUNCTION,DIRECTORY) fills a directory as Lambda unpacks it.
build_lambda = mkdir -p "$(2)" && $(GO_LAMBDA) -o "$(2)/bootstrap" ./functions/$(1) && cp "$(CONFIG)" "$(2)/ringonce.yaml"

export SAM_CLI_TELEMETRY := 0

.DEFAULT_GOAL := help
.PHONY: help demo run eval test explore test-live race lint build deployable package build-twice local validate validate-template \
	sam-build check-stack check-config deploy deploy-mock delete clean test-browser \
	tools-browser tools-engine tools-lint tools-live tools-sam tools-moto tools-rie invoke invoke-all init-time

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z%A-Z-]+:.*## / {printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: local tools-engine ## Run the whole story on this machine: real functions, recorded vendors, no account.
	$(LOCAL)/ringonce demo --functions $(LOCAL)/functions --engine "$(ENGINE)" --template template.yaml

run: local tools-engine ## Run on CONFIG=… against live vendors, Slack and SES, until Ctrl-C; keeps STATE=…; PAGES=127.0.0.1:7480 serves incident pages.
	$(LOCAL)/ringonce run --config "$(CONFIG)" --state "$(STATE)" $(if $(PAGES),--pages "$(PAGES)") --functions $(LOCAL)/functions --engine "$(ENGINE)" --template template.yaml

eval: ## Score the shipped policies on the shipped traces; a worse score fails. `make test` does it too.
	go run ./internal/cmd/ringonce eval

INVOKE = $(LOCAL)/ringonce invoke --functions $(LOCAL)/functions --engine "$(ENGINE)" --emulator "$(RIE)" --env INVOKE_SECRET=https://127.0.0.1:9/none --env RINGONCE_PAGE_SECRET=env:INVOKE_SECRET

invoke: local tools-engine tools-rie ## Run FUNCTION=… with EVENT=… under the Lambda runtime interface emulator.
	$(INVOKE) --function "$(FUNCTION)" --event "$(EVENT)"

invoke-all: local tools-engine tools-rie ## Run every function with every event of events/ and check the answers.
	$(INVOKE)

# An empty function has the SDK clients that the function links, and no others, apart from
# those for the SDK's own credentials, which every function has.
init-time: local tools-engine tools-rie ## Compare each function's start with an empty one's (median of 20).
	@set -e; for name in $(FUNCTIONS); do \
		clients=$$(go list -deps ./functions/$$name | sed -n 's#^github.com/aws/aws-sdk-go-v2/service/\([a-z0-9]*\)$$#,\1#p' | tr -d '\n'); \
		CGO_ENABLED=0 go build -tags "lambda.norpc$$clients" -ldflags '-s -w' -o $(LOCAL)/empty/$$name/bootstrap ./internal/local/invoke/testdata/empty; \
	done
	$(INVOKE) --measure 20 --empty $(LOCAL)/empty

# The seed of the property tests. It is fixed, so that a failing test is due to the change
# under test; `make explore` tries other draws.
SEED   ?= 1
CHECKS ?= 3000
export RAPID_SEED := $(SEED)

test: tools-engine ## Run every test.
	go test ./...

# The race detector makes a property test ten times as slow, and a property runs one
# thing at a time: few draws are enough to look for races.
race: tools-engine ## Run every test under the race detector.
	RAPID_CHECKS=20 go test -race ./...

explore: tools-engine ## Run the property tests on CHECKS=… random draws each; a failure names its seed.
	RAPID_SEED=0 RAPID_CHECKS=$(CHECKS) go test -count=1 -timeout 0 \
		$$(grep -rl --include='*_test.go' pgregory.net/rapid internal | xargs -n 1 dirname | sort -u | sed 's#^#./#')

# Debian's Alertmanager reads its templates from /usr/share. The unpacked files are mounted
# over it in a mount namespace of this test's own.
test-live: tools-live ## Run the presets against a real Prometheus and Alertmanager (Debian or Ubuntu).
	unshare --user --map-root-user --mount sh -ec ' \
		mount -t overlay overlay -o "lowerdir=$(DEBIAN)/usr/share:/usr/share" /usr/share; \
		RINGONCE_LIVE_BIN="$(DEBIAN)/usr/bin" go test -tags live -count=1 -run TestLive ./internal/scenario'

test-browser: tools-browser ## Open the pages and mails that vendors attack in a real browser (Chromium).
	go test -tags browser -count=1 ./internal/browsertest ./functions/page ./internal/local/preview

lint: tools-lint ## Run go vet, staticcheck and gofumpt.
	go vet ./...
	go vet -tags live ./internal/scenario
	go vet -tags browser ./internal/browsertest ./functions/page ./internal/local/preview
	go vet -tags mockaws ./infra
	$(CHECK) ./...
	$(CHECK) -tags mockaws ./infra
	@unformatted=$$($(GOFUMPT) -l $(wildcard functions internal infra)); \
	if [ -n "$$unformatted" ]; then echo "not formatted; run gofumpt -w on:"; echo "$$unformatted"; exit 1; fi

build: ## Build every function for Lambda (linux/arm64) into build/lambda and check the sizes.
	@set -e; for name in $(FUNCTIONS); do \
		$(call build_lambda,$$name,build/lambda/$$name) || exit 1; \
		size=$$(gzip -9 -c build/lambda/$$name/bootstrap | wc -c); \
		printf '  %-10s %9d bytes, %9d compressed\n' $$name $$(wc -c < build/lambda/$$name/bootstrap) $$size; \
		if [ $$size -gt $(SIZE_BUDGET) ]; then echo "$$name is over SIZE_BUDGET, $(SIZE_BUDGET) bytes compressed"; exit 1; fi; \
	done

# The zips are for AWS, like SAM's build, so the configuration gets the same checks.
deployable: ## Check that CONFIG=… can be deployed: validate, and every secret where a function can read it.
	go run ./internal/cmd/ringonce validate --deploy "$(CONFIG)"

package: deployable build ## Build the zips that Lambda takes into build/package, without the SAM CLI.
	@mkdir -p build/package
	@set -e; for name in $(FUNCTIONS); do \
		go run ./internal/cmd/lambdazip build/package/$$name.zip build/lambda/$$name/bootstrap build/lambda/$$name/ringonce.yaml; \
	done

# The second build is of a copy in another directory, without anything from the first; the
# third is SAM's.
build-twice: package sam-build ## Build again from nothing, elsewhere, and check that every byte is the same.
	@set -e; copy=$$(mktemp -d); trap 'rm -rf "$$copy"' EXIT; \
	cp -R go.mod go.sum Makefile functions internal infra "$$copy"; \
	GOCACHE="$$copy/cache" $(MAKE) --no-print-directory -C "$$copy" package CONFIG="$(abspath $(CONFIG))" >/dev/null; \
	for name in $(FUNCTIONS); do \
		cmp build/package/$$name.zip "$$copy/build/package/$$name.zip"; \
		sam=.aws-sam/build/$$(echo $$name | awk '{print toupper(substr($$0, 1, 1)) substr($$0, 2)}')Function; \
		cmp build/lambda/$$name/bootstrap $$sam/bootstrap; \
		cmp build/lambda/$$name/ringonce.yaml $$sam/ringonce.yaml; \
	done; echo "three builds of $(words $(FUNCTIONS)) functions are the same bytes"

build-%Function: ## Build one function into ARTIFACTS_DIR=…: what `sam build` runs for each.
	$(call build_lambda,$$(echo $* | tr '[:upper:]' '[:lower:]'),$(ARTIFACTS_DIR))

local: ## Build the functions and the ringonce command for this machine into build/local.
	@mkdir -p $(LOCAL)/functions
	@set -e; for name in $(FUNCTIONS); do $(GO_LOCAL) -o $(LOCAL)/functions/$$name/bootstrap ./functions/$$name; done
	@$(GO_LOCAL) -o $(LOCAL)/ringonce ./internal/cmd/ringonce

validate-template: tools-sam ## Check template.yaml with cfn-lint and the SAM CLI.
	$(SAM_VENV)/bin/cfn-lint template.yaml infra/key.yaml
	$(SAM_VENV)/bin/sam validate --lint --template-file template.yaml --region us-east-1

validate: local ## Check the configuration CONFIG=….
	$(LOCAL)/ringonce validate "$(CONFIG)"

sam-build: tools-sam local deployable ## Build what `make deploy` deploys, with CONFIG=… inside.
	CONFIG="$(abspath $(CONFIG))" $(SAM_VENV)/bin/sam build --build-in-source --template-file template.yaml

# Functions are named after their stack, and a function's name has at most 64 characters.
# CloudFormation would report that only after creating the tables.
check-stack: ## Check that STACK=… can be the name of a stack.
	@printf '%s\n' "$(STACK)" | grep -Eqx '[A-Za-z][A-Za-z0-9-]{0,53}' || { \
		echo "STACK=$(STACK): want a letter and then letters, digits and hyphens, 54 characters at most"; exit 1; }

# Without CONFIG the example would replace the deployed configuration.
check-config: ## Check that somebody has said which configuration to deploy.
	@[ -z "$(EXAMPLE)" ] || { \
		echo "say which configuration to deploy: make deploy CONFIG=my.yaml, or keep the line 'CONFIG ?= my.yaml' in the file .deploy"; exit 1; }

deploy: check-stack check-config sam-build ## Deploy STACK=… for STAGE=…, OWNER=… and COST_CENTER=…, with the template's PARAMETERS=….
	@$(SAM_VENV)/bin/sam deploy --stack-name "$(STACK)" --capabilities CAPABILITY_IAM --resolve-s3 --no-fail-on-empty-changeset $(DEPLOY_ARGS) \
		--tags application=ringonce stage="$(STAGE)" owner="$(OWNER)" cost-center="$(COST_CENTER)" \
		--parameter-overrides Stage="$(STAGE)" Owner="$(OWNER)" CostCenter="$(COST_CENTER)" $(PARAMETERS) || { echo; \
	echo "If this was the first deployment of $(STACK): its tables, which are empty, outlive it, and the next one cannot make"; \
	echo "them again. Run make delete STACK=$(STACK) and what it prints, then deploy again. If the reason above is about"; \
	echo "UnreservedConcurrentExecution, do so with PARAMETERS='PollReservedConcurrency=0 PageReservedConcurrency=0'."; exit 1; }

# The tables outlive the stack, since they record who was notified of what.
delete: tools-sam ## Delete the stack STACK=…, and say what is retained.
	$(SAM_VENV)/bin/sam delete --stack-name "$(STACK)" $(DELETE_ARGS)
	@echo "Retained: the tables $(STACK)-observations, $(STACK)-incidents, $(STACK)-outbox and $(STACK)-operations,"
	@echo "with everything that was seen, decided and told; a stack of the same name cannot be deployed beside them."
	@echo "To remove them for good:"
	@echo "  for t in observations incidents outbox operations; do"
	@echo "    aws dynamodb update-table --no-deletion-protection-enabled --table-name $(STACK)-\$$t &&"
	@echo "    aws dynamodb wait table-exists --table-name $(STACK)-\$$t &&"
	@echo "    aws dynamodb delete-table --table-name $(STACK)-\$$t"
	@echo "  done"
	@echo "Your own remain, too: secrets in the Parameter Store, and a key made with infra/key.yaml."

# Everything that CloudFormation is given, and a mock AWS that makes of it what it
# knows. Nothing leaves this machine.
deploy-mock: tools-sam tools-moto package ## Check the transformed template; deploy, update and delete it in a mock AWS.
	$(SAM_VENV)/bin/python infra/transform.py template.yaml > build/template.json
	RINGONCE_MOCK_AWS="$(MOCK_AWS)/bin" go test -count=1 -tags mockaws -run 'Transformed|Deploy' ./infra

tools-engine: ## Install the local DynamoDB engine under .tools.
	@grep -qs '"version": "$(ENGINE_VERSION)"' "$(dir $(ENGINE))package.json" || { \
		echo "installing @dynoxide/$(OS)-$(CPU) $(ENGINE_VERSION) under .tools"; \
		mkdir -p "$(TOOLS)"; \
		npm install --prefix "$(TOOLS)" --no-save --no-audit --no-fund --loglevel=error "@dynoxide/$(OS)-$(CPU)@$(ENGINE_VERSION)"; }

tools-lint: $(CHECK) $(GOFUMPT) ## Install staticcheck and gofumpt under .tools.

tools-live: $(DEBIAN)/installed ## Unpack Debian's Prometheus and Alertmanager under .tools.

# A browser needs more of a machine than can be unpacked under .tools.
tools-browser: ## Install Chromium, where there is none and it can be (Debian, as root).
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install --no-install-recommends chromium; } || { \
		echo "there is no Chromium: install it as the package chromium or google-chrome, so that it is on the PATH"; exit 1; }

tools-rie: $(RIE) ## Install the Lambda runtime interface emulator under .tools (Linux).

tools-sam: $(SAM_VENV)/installed ## Install the SAM CLI and cfn-lint under .tools.

tools-moto: $(MOCK_AWS)/installed ## Install moto, which plays AWS, and the AWS CLI under .tools.

$(CHECK):
	GOBIN="$(@D)" go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

$(GOFUMPT):
	GOBIN="$(@D)" go install mvdan.cc/gofumpt@$(GOFUMPT_VERSION)

# Unpacked, not installed: nothing of the machine changes and no service starts.
$(DEBIAN)/installed:
	rm -rf "$(DEBIAN)"
	mkdir -p "$(DEBIAN)/packages"
	cd "$(DEBIAN)/packages" && apt-get -qq download prometheus prometheus-alertmanager
	for package in "$(DEBIAN)"/packages/*.deb; do dpkg-deb -x "$$package" "$(DEBIAN)" || exit 1; done
	touch "$@"

$(RIE):
	GOBIN="$(@D)" go install github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@$(RIE_VERSION)

$(SAM_VENV)/installed:
	rm -rf "$(SAM_VENV)"
	python3 -m venv "$(SAM_VENV)"
	"$(SAM_VENV)/bin/pip" install --quiet --disable-pip-version-check aws-sam-cli==$(SAM_VERSION) cfn-lint==$(CFN_LINT_VERSION)
	touch "$@"

$(MOCK_AWS)/installed:
	rm -rf "$(MOCK_AWS)"
	python3 -m venv "$(MOCK_AWS)"
	"$(MOCK_AWS)/bin/pip" install --quiet --disable-pip-version-check 'moto[server]==$(MOTO_VERSION)' awscli==$(AWS_CLI_VERSION)
	touch "$@"

clean: ## Remove what was built. Tools and state stay.
	rm -rf build .aws-sam
