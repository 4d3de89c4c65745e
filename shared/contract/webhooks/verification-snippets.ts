/** `install`: the command that adds the library. `code`: a receiver on port 3000 that accepts only what it verified. */
export type VerificationSnippet = { id: string; name: string; language: string; install: string; code: string };

/**
 * Receivers that verify a delivery with the Standard Webhooks library of their language, and answer 400 to anything
 * else. The secret is in `LANDFALL_WEBHOOK_SECRET`. Sources (checked November 2026): the libraries' own code, in the
 * `standard-webhooks/standard-webhooks` repository for Node.js, Python, Go, PHP and Java, and in
 * `codefactors/StandardWebhooks` for C#, where the reference implementation is not on NuGet. A library is given the
 * body as it arrived: parsing it and writing it again changes bytes that the signature covers.
 */
export const verificationSnippets: readonly VerificationSnippet[] = [
  {
    id: 'node',
    name: 'Node.js',
    language: 'js',
    install: 'npm install standardwebhooks',
    code: `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.LANDFALL_WEBHOOK_SECRET);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = webhook.verify(Buffer.concat(chunks), request.headers);
    console.log(event.type, event.data);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
}).listen(process.env.PORT ?? 3000);`,
  },
  {
    id: 'python',
    name: 'Python',
    language: 'python',
    install: 'pip install flask standardwebhooks',
    code: `import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["LANDFALL_WEBHOOK_SECRET"])


@app.post("/hooks")
def receive():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError as error:
        return str(error), 400
    print(event["type"], event["data"])
    return "", 204


app.run(port=3000)`,
  },
  {
    id: 'go',
    name: 'Go',
    language: 'go',
    install: 'go get github.com/standard-webhooks/standard-webhooks/libraries/go',
    code: `package main

import (
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("LANDFALL_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/hooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 4<<20))
		if err == nil {
			err = webhook.Verify(body, request.Header)
		}
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		log.Printf("%s", body)
		response.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":3000", nil))
}`,
  },
  {
    id: 'php',
    name: 'PHP',
    language: 'php',
    install: 'composer require standard-webhooks/standard-webhooks',
    code: `<?php
require 'vendor/autoload.php';

use StandardWebhooks\\Exception\\WebhookVerificationException;
use StandardWebhooks\\Webhook;

$webhook = new Webhook(getenv('LANDFALL_WEBHOOK_SECRET'));
try {
    // The library looks for names in lower case.
    $event = $webhook->verify(file_get_contents('php://input'), array_change_key_case(getallheaders()));
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    exit($error->getMessage());
}
error_log($event['type']);
http_response_code(204);`,
  },
  {
    id: 'java',
    name: 'Java',
    language: 'java',
    install: 'implementation("com.standardwebhooks:standardwebhooks:1.1.1")',
    code: `import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;

public class Hooks {
    public static void main(String[] args) throws Exception {
        var webhook = new Webhook(System.getenv("LANDFALL_WEBHOOK_SECRET"));
        var server = HttpServer.create(new InetSocketAddress(3000), 0);
        server.createContext("/hooks", exchange -> {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int status = 204;
            try {
                webhook.verify(body, HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true));
                System.out.println(body);
            } catch (WebhookVerificationException error) {
                status = 400;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }
}`,
  },
  {
    id: 'csharp',
    name: 'C#',
    language: 'csharp',
    install: 'dotnet add package StandardWebhooks',
    code: `using StandardWebhooks;
using StandardWebhooks.Diagnostics;

var app = WebApplication.CreateBuilder(args).Build();
var webhook = new StandardWebhook(Environment.GetEnvironmentVariable("LANDFALL_WEBHOOK_SECRET")!);

app.MapPost("/hooks", async (HttpRequest request) =>
{
    using var reader = new StreamReader(request.Body);
    var body = await reader.ReadToEndAsync();
    // Release 1.1 does not compare the last of several signatures, and a rotation sends two.
    request.Headers["webhook-signature"] += " v1,";
    try
    {
        webhook.Verify(body, request.Headers);
    }
    catch (WebhookVerificationException error)
    {
        return Results.BadRequest(error.Message);
    }
    Console.WriteLine(body);
    return Results.NoContent();
});
app.Run("http://localhost:3000");`,
  },
];
